import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { CortextError } from '../../errors.ts'
import { redactText } from '../../redact/index.ts'
import type { SessionFile } from '../../session/schema.ts'
import { DEFAULT_TITLE } from '../../session/title.ts'
import { withLockSync } from '../../store/machine/lock.ts'
import { writeLog } from '../../store/machine/log.ts'
import { readShadow, shadowNumbers, writeShadow } from '../../store/machine/metadata-backup.ts'
import { writeSession } from '../../store/record/session-file.ts'
import { createConversationFolder } from '../../workspace/folder.ts'
import { repositoryState } from '../../workspace/git/index.ts'
import type { Workspace } from '../../workspace/open.ts'
import { loadCommand, snapshotPrompt } from '../../workspace/pack/commands.ts'
import { findType, loadRegistry } from '../../workspace/registry.ts'
import { loadTemplate } from '../../workspace/template.ts'
import { editConversation } from '../conversation/edit.ts'
import { type Bind, bind, unbind } from './bind.ts'
import type { NativeHere } from './current-session.ts'
import { saidHere, unboundFrom } from './said-in-session.ts'
import { pause } from './stop.ts'

export interface Started {
  id: string
  /** Workspace-relative path of the folder, and of its markdown. */
  path: string
  document: string
  title: string
  /** False when the conversation was open already and is only told again. */
  created: boolean
  /** A resume is pending here: the caller prints its context. */
  resumed: boolean
}

export interface StartRequest {
  type: string
  /** As typed; '' for none yet. */
  title: string
  here: NativeHere | undefined
  /** The person typed the command: another conversation begins, whatever is open. */
  anew?: boolean
  /** Take the native session from the first message that is no conversation's yet, not from this turn. */
  fromBeginning?: boolean
  /** The stretch is closed at once: the session is adopted as it is now. */
  how?: 'start' | 'adopt'
}

/**
 * Opens a conversation and binds it to the native session that it is started from. In a turn that has opened one
 * already, or while a resume is pending, it is that one: asking twice never makes a second. Another conversation
 * bound to the same native session is paused first.
 */
export async function start(ws: Workspace, request: StartRequest): Promise<Started> {
  const { here } = request
  const open = here?.live
  if (here !== undefined && open !== undefined) {
    // By what was said, not by offsets: the client writes records of its own before the first prompt.
    const before = saidHere(ws, { ...here, turn: here.marked }, open.from)
    const same = open.pending === true || before.length === 0 || isUntitled(ws, open.conversation)
    if (same && request.anew !== true)
      return again(ws, open.conversation, open.pending === true, request.title)
  }
  const made = await create(ws, request)
  if (here !== undefined)
    await bindInstead(ws, here, {
      conversation: made.path,
      how: request.how ?? 'start',
      from: request.fromBeginning === true ? unboundFrom(here) : here.turn,
      command: `workspace.${request.type}`,
    })
  return made
}

/**
 * Binds a native session to a conversation. The one that it was bound to ends at the start of the running turn and
 * is published as paused: last, since that may fail, and what was said is in the journal either way.
 */
export async function bindInstead(ws: Workspace, here: NativeHere, what: Bind): Promise<void> {
  if (here.live !== undefined) unbind(ws, here, { to: Math.max(here.turn, here.live.from), by: 'switch' })
  bind(ws, here, what)
  if (here.live !== undefined) await pause(ws, here.live.conversation)
}

export interface NewOne {
  type: string
  title: string
  /** Of the program that holds it, which is no client. */
  key?: string
  /** Writes what it begins with into its folder, which nobody sees yet; returns the metadata that tell of it. */
  begin?: (folder: string, session: SessionFile) => SessionFile
}

/**
 * A new conversation on disk, bound to nothing. One after the other, because worktrees share what this machine
 * knows of a conversation by its path: each gets a number that no branch or worktree has on that day.
 */
export async function create(ws: Workspace, request: NewOne): Promise<Started> {
  const repository = await repositoryState(ws.root, ws.place.env)
  return withLockSync(ws.local, 'new-conversation', () => createOne(ws, request, repository))
}

function createOne(ws: Workspace, request: NewOne, repository: SessionFile['repository']): Started {
  const type = typeOf(ws, request)
  const typed = request.title.trim()
  const title = (ws.config.redact ? redactText(typed).text : typed) || DEFAULT_TITLE
  const now = ws.place.now()
  const date = localDate(now)
  let session: SessionFile | undefined
  const made = createConversationFolder({
    root: ws.root,
    folder: type.folder,
    template: loadTemplate(ws.root, type.template),
    date,
    taken: shadowNumbers(ws.local, `${type.folder}/${date}`),
    type: request.type,
    title,
    fill(folder, id) {
      const empty = newSession(ws, { ...request, id, command: type.command, title, now })
      const known = repository === undefined ? empty : { ...empty, repository }
      session = request.begin?.(folder, known) ?? known
      writeSession(folder, session)
    },
  })
  keepShadow(ws, made.path, session!, request.begin !== undefined)
  const document = `${made.path}/${request.type}.md`
  return { id: made.id, path: made.path, document, title, created: true, resumed: false }
}

/** What something was said in stays, and the next one to write there does what lacks. */
function keepShadow(ws: Workspace, path: string, session: SessionFile, begun: boolean): void {
  try {
    // Whoever has written there in between knows more of it.
    if (readShadow(ws.local, path) === undefined) writeShadow(ws.local, path, session)
  } catch (error) {
    if (!begun) {
      rmSync(join(ws.root, path), { recursive: true, force: true })
      throw error
    }
    writeLog(ws.local, `after ${path} began: ${error instanceof Error ? error.message : error}`)
  }
}

/** What a program of its own holds needs no instructions of ours, so this type need not be in the registry. */
const CHAT = { name: 'chat', command: '/workspace.chat', folder: 'conversations', template: 'chat' }

function typeOf(ws: Workspace, { type, key }: NewOne): typeof CHAT {
  if (key !== undefined && type === CHAT.name && !loadRegistry(ws.root).has(type)) return CHAT
  return findType(ws.root, type)
}

function newSession(ws: Workspace, one: NewOne & { id: string; command: string; now: Date }): SessionFile {
  const hash = instructions(ws, one)
  const at = one.now.toISOString()
  return {
    version: '1.0',
    conversation_id: one.id,
    conversation_type: one.type,
    title: one.title,
    status: 'active',
    created_at: at,
    last_active: at,
    message_count: 0,
    token_count: 0,
    agent_config: {
      client: 'unknown',
      command: one.command,
      system_prompt_hash: hash ?? 'unknown',
      model: 'unknown',
      tools: [],
      unknown: {
        model: 'no answer was recorded yet',
        ...(hash === undefined ? { system_prompt_hash: 'a program of its own holds it' } : {}),
      },
    },
    context_summary: '',
    agent_sessions: [],
    ...(one.key === undefined ? {} : { key: one.key }),
  }
}

/** The hash of the command's present version, which is kept; undefined where there need not be one. */
function instructions(
  ws: Workspace,
  { command, key }: { command: string; key?: string },
): string | undefined {
  try {
    const { text, hash } = loadCommand(ws.root, command)
    snapshotPrompt(ws.root, text)
    return hash
  } catch (error) {
    if (key !== undefined && error instanceof CortextError && error.code === 'not-found') return undefined
    throw error
  }
}

/** The conversation that is open already; a title that it lacks is taken from the request. */
async function again(ws: Workspace, path: string, resumed: boolean, title: string): Promise<Started> {
  if (title.trim() !== '' && isUntitled(ws, path)) await editConversation(ws, path, { title }, false)
  const session = readShadow(ws.local, path)?.session
  const id = path.split('/').at(-1)!
  const type = session?.conversation_type ?? id.split('-')[1] ?? 'conversation'
  return { id, path, document: `${path}/${type}.md`, title: session?.title ?? id, created: false, resumed }
}

function isUntitled(ws: Workspace, path: string): boolean {
  return readShadow(ws.local, path)?.session.title === DEFAULT_TITLE
}

/** The person's own calendar day: folders are named after it. */
export function localDate(now: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}
