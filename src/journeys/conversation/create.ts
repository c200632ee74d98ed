import { CortextError } from '../../errors.ts'
import { redactText } from '../../redact/index.ts'
import type { SessionFile } from '../../session/schema.ts'
import { DEFAULT_TITLE } from '../../session/title.ts'
import { withLockSync } from '../../store/machine/locks/lock.ts'
import { writeLog } from '../../store/machine/log.ts'
import {
  backedUpNumbers,
  readMetadataBackup,
  writeMetadataBackup,
} from '../../store/machine/metadata-backup.ts'
import { writeSession } from '../../store/record/session-file.ts'
import { createConversationFolder, removeConversationFolder } from '../../workspace/folder.ts'
import { repositoryState } from '../../workspace/git/index.ts'
import type { Workspace } from '../../workspace/open.ts'
import { loadCommand, snapshotPrompt } from '../../workspace/pack/commands.ts'
import { findType, loadRegistry } from '../../workspace/registry.ts'
import { loadTemplate } from '../../workspace/template.ts'

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
  const repository = await repositoryState(ws.root, ws.environment.env)
  return withLockSync(ws.local, 'new-conversation', () => createOne(ws, request, repository))
}

function createOne(ws: Workspace, request: NewOne, repository: SessionFile['repository']): Started {
  const type = typeOf(ws, request)
  const typed = request.title.trim()
  const title = (ws.config.redact ? redactText(typed).text : typed) || DEFAULT_TITLE
  const now = ws.environment.now()
  const date = localDate(now)
  let session: SessionFile | undefined
  const made = createConversationFolder({
    root: ws.root,
    folder: type.folder,
    template: loadTemplate(ws.root, type.template),
    date,
    taken: backedUpNumbers(ws.local, `${type.folder}/${date}`),
    type: request.type,
    title,
    fill(folder, id) {
      const empty = newSession(ws, { ...request, id, command: type.command, title, now })
      const known = repository === undefined ? empty : { ...empty, repository }
      session = request.begin?.(folder, known) ?? known
      writeSession(folder, session)
    },
  })
  keepMetadataBackup(ws, made.path, session!, request.begin !== undefined)
  const document = `${made.path}/${request.type}.md`
  return { id: made.id, path: made.path, document, title, created: true, resumed: false }
}

/** What something was said in stays, and the next one to write there does what lacks. */
function keepMetadataBackup(ws: Workspace, path: string, session: SessionFile, begun: boolean): void {
  try {
    // Whoever has written there in between knows more of it.
    if (readMetadataBackup(ws.local, path) === undefined) writeMetadataBackup(ws.local, path, session)
  } catch (error) {
    if (!begun) {
      removeConversationFolder(ws.root, path)
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

/** The person's own calendar day: folders are named after it. */
export function localDate(now: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}
