import { basename, join } from 'node:path'
import { CortextError } from '../errors.ts'
import { statInside } from '../io/inside.ts'
import { cleanText } from '../redact/index.ts'
import type { SessionFile } from '../session/schema.ts'
import { DEFAULT_TITLE } from '../session/schema.ts'
import { newOrigin } from '../session/sharing/origin.ts'
import { noteGoneFolder } from '../store/machine/copies.ts'
import { withLockSync } from '../store/machine/locks/lock.ts'
import { writeLog } from '../store/machine/log.ts'
import {
  backedUpNumbers,
  holdMetadata,
  readMetadataBackup,
  writeMetadataBackup,
} from '../store/machine/metadata-backup.ts'
import { noteForPlace } from '../store/machine/place.ts'
import { writeSession } from '../store/record/session-file.ts'
import { createConversationFolder, removeConversationFolder } from '../workspace/folder.ts'
import { leftOutOf, repositoryState } from '../workspace/git/index.ts'
import type { Workspace } from '../workspace/open.ts'
import { loadCommand } from '../workspace/pack/commands.ts'
import { findType } from '../workspace/registry.ts'
import { loadTemplate } from '../workspace/template.ts'
import { checkCanKeepHere, gitSeesRecord } from './held-back.ts'
import { bringPrompt, keepCopies, keepPrompt } from './keeping/keep-copies.ts'
import type { State } from './publishing/write.ts'
import { CREATION_LOCK, emptyCreationFolder } from './unfinished.ts'

export interface Started {
  id: string
  /** Workspace-relative path of the folder. */
  path: string
  /** Workspace-relative path of the document; undefined for a type without one. */
  document: string | undefined
  title: string
  /** False when the conversation was there before. */
  created: boolean
  /** A resume is pending in this session, so the caller prints the context. */
  resumed: boolean
}

export interface NewConversation {
  type: string
  title: string
  /** The key, if an agent loop has the conversation. */
  key?: string
  /** No sync sends it. Default: what the type says. */
  keepHere?: boolean
  /** Why nobody knows which version of the type's command ran. Absent: the present one is about to run. */
  promptUnknown?: string | undefined
  /** The time at which the conversation began. Its folder is in that day's folder. Default: now. */
  at?: Date | undefined
  /** Distinguishes the conversation from those of the same name in other clones. Default: random. */
  origin?: string | undefined
  /**
   * Writes the conversation's first contents into its folder, which is still hidden. Returns the conversation's
   * metadata.
   */
  begin?: (folder: string, session: SessionFile) => SessionFile
  /** Git's answer, if the caller has asked already. */
  state?: Pick<State, 'repository'> | undefined
}

/**
 * Makes a new conversation on disk, bound to no native session. Chooses its number under a lock. No other conversation
 * of that day has this number on any branch or worktree of this machine, because the local folder knows conversations
 * only by their paths. Throws `not-found` for an unknown type or a missing command, `locked`, and `disk-full`,
 * `unwritable` or `unsafe-path`.
 */
export async function create(ws: Workspace, request: NewConversation): Promise<Started> {
  const { repository } = request.state ?? { repository: await repositoryState(ws) }
  const leftOut = await leftOutOf(ws, [findType(ws.root, request.type).folder])
  return withLockSync(ws.local, CREATION_LOCK, () =>
    createOne(ws, request, repository, leftOut?.conversations ?? []),
  )
}

/** Makes only the folder and the document of a conversation; nothing is recorded. Throws what `create` throws. */
export function createDocument(ws: Workspace, { type, title }: NewConversation): Started {
  const { folder, template } = findType(ws.root, type)
  const text = cleanText(ws.config, title.trim()) || DEFAULT_TITLE
  return withLockSync(ws.local, 'new-conversation', () => {
    const date = localDate(ws.environment.now())
    const made = createConversationFolder({
      root: ws.root,
      folder,
      template: template && loadTemplate(ws.root, template),
      date,
      type,
      title: text,
      taken: backedUpNumbers(ws.local, `${folder}/${date}`),
      fill: () => undefined,
    })
    const document = template === undefined ? undefined : `${made.path}/${type}.md`
    return { id: made.id, path: made.path, document, title: text, created: true, resumed: false }
  })
}

function createOne(
  ws: Workspace,
  request: NewConversation,
  repository: SessionFile['repository'],
  leftOut: readonly string[],
): Started {
  const type = findType(ws.root, request.type)
  const keepHere = request.keepHere ?? type.keep_here ?? false
  if (keepHere) checkCanKeepHere(ws)
  const title = cleanText(ws.config, request.title.trim()) || DEFAULT_TITLE
  const now = request.at ?? ws.environment.now()
  const date = localDate(now)
  const held = request.begin === undefined && gitSeesRecord(ws)
  if (!gitSeesRecord(ws) && statInside(ws.root, type.folder) === undefined) noteGoneFolder(ws.local)
  const making = emptyCreationFolder(ws, `${type.folder}/${date}`)
  let session: SessionFile | undefined
  const made = createConversationFolder({
    root: ws.root,
    folder: type.folder,
    template: type.template && loadTemplate(ws.root, type.template),
    date,
    taken: [
      ...backedUpNumbers(ws.local, `${type.folder}/${date}`),
      ...leftOut.filter((path) => path.startsWith(`${type.folder}/${date}/`)).map(numberIn),
    ],
    making,
    type: request.type,
    title,
    fill(folder, id) {
      const empty = newSession(ws, { ...request, keepHere, id, title, now }, type.command)
      const described = repository === undefined ? empty : { ...empty, repository }
      session = request.begin?.(folder, described) ?? described
      if (!held) return writeSession(folder, session)
      // The state is written before the folder appears, so that lists know every conversation that git shows.
      holdMetadata(ws.local, `${type.folder}/${date}/${id}`, session, folder)
    },
  })
  if (!held) keepMetadataBackup(ws, made.path, session!, request.begin !== undefined)
  if (!held) bringPrompt(ws, session!)
  // It may have been deleted before.
  if (request.origin !== undefined) noteForPlace(ws.local, request.origin, 'imported')
  keepCopies(ws, made.path, session!)
  const document = type.template && `${made.path}/${request.type}.md`
  return { id: made.id, path: made.path, document, title, created: true, resumed: false }
}

function numberIn(path: string): number {
  return Number.parseInt(basename(path), 10)
}

/**
 * Writes the metadata backup. If that fails, an empty conversation is removed. A conversation with talk stays: the next
 * process that writes into it makes the backup.
 */
function keepMetadataBackup(ws: Workspace, path: string, session: SessionFile, begun: boolean): void {
  try {
    // A backup that another process has written in the meantime is newer, so it stays.
    if (readMetadataBackup(ws.local, path) === undefined)
      writeMetadataBackup(ws.local, path, session, join(ws.root, path))
  } catch (error) {
    if (!begun) {
      removeConversationFolder(ws.root, path)
      throw error
    }
    writeLog(ws.local, `after ${path} began: ${error instanceof Error ? error.message : error}`)
  }
}

function newSession(
  ws: Workspace,
  request: NewConversation & { id: string; now: Date },
  command: string | undefined,
): SessionFile {
  const at = request.now.toISOString()
  const { unknown, ...instructions } = instructionsOf(ws, request, command)
  return {
    version: '1.0',
    conversation_id: request.id,
    conversation_type: request.type,
    title: request.title,
    status: 'active',
    created_at: at,
    last_active: at,
    message_count: 0,
    token_count: 0,
    agent_config: {
      client: 'unknown',
      ...instructions,
      model: 'unknown',
      tools: [],
      unknown: { model: 'no recorded answer names it', ...unknown },
    },
    context_summary: '',
    agent_sessions: [],
    ...(request.keepHere && { keep_here: true }),
    ...(request.key === undefined ? {} : { key: request.key }),
    origin: request.origin ?? newOrigin(),
  }
}

/**
 * Returns what session.json says of the instructions: nothing, if the type has no command. Keeps a snapshot of the
 * command's present version if this version is about to run.
 */
function instructionsOf(
  ws: Workspace,
  { key, promptUnknown }: NewConversation,
  command: string | undefined,
): Pick<SessionFile['agent_config'], 'command' | 'system_prompt_hash' | 'unknown'> {
  if (command === undefined) return {}
  const unknown = (why: string) => withoutPrompt(command, why)
  try {
    const { text, hash } = loadCommand(ws.root, command)
    if (promptUnknown !== undefined) return unknown(promptUnknown)
    keepPrompt(ws, text)
    return { command, system_prompt_hash: hash }
  } catch (error) {
    if (key === undefined || !(error instanceof CortextError) || error.code !== 'not-found') throw error
    return unknown('the agent loop has its own instructions')
  }
}

/** What session.json says of a command that has not run yet, or of which nobody knows which version ran. */
export function withoutPrompt(command: string, why: string) {
  return { command, system_prompt_hash: 'unknown', unknown: { system_prompt_hash: why } }
}

/** Returns the day in the person's time zone, as folders are named: `2026-11-21`. */
export function localDate(now: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}
