import { dirname, join } from 'node:path'
import { crypto } from '../crypto.ts'
import { CortextError } from '../errors.ts'
import { ensureFolder } from '../io/ensure-folder.ts'

/** Part of the hook bundle: node's own modules only. */

export const SESSION_FOLDER = '.session'

/** The tracked files of a conversation, below its folder. */
export function recordFiles(folder: string) {
  const session = join(folder, SESSION_FOLDER)
  return {
    folder: session,
    session: join(session, 'session.json'),
    messages: join(session, 'messages.jsonl'),
    summaries: join(session, 'summaries'),
    archive: join(session, 'archive'),
    subagents: join(session, 'subagents'),
    attachments: join(session, 'attachments'),
  }
}

/** This machine's own files, below the local folder of a workspace. */
export function localFiles(local: string) {
  return {
    journal: join(local, 'journal'),
    bindings: join(local, 'bindings'),
    bindingIndex: join(local, 'binding-index.json'),
    index: join(local, 'index.json'),
    contexts: join(local, 'contexts'),
    hosts: join(local, 'hosts'),
    locks: join(local, 'locks'),
    shadow: join(local, 'shadow'),
    turns: join(local, 'turns'),
    log: join(local, 'log'),
  }
}

/** The first journal generation of a native session; see journal.ts. */
export function journalPath(local: string, client: string, nativeId: string): string {
  return join(localFiles(local).journal, fileNameOf(client), `${fileNameOf(nativeId)}.jsonl`)
}

/** Where the copies of a native session's side files lie. */
export function journalSideFolder(local: string, client: string, nativeId: string): string {
  return join(localFiles(local).journal, fileNameOf(client), `${fileNameOf(nativeId)}.d`)
}

export function turnMarkPath(local: string, client: string, nativeId: string): string {
  return join(localFiles(local).journal, fileNameOf(client), `${fileNameOf(nativeId)}.turn`)
}

export function bindingPath(local: string, client: string, nativeId: string): string {
  return join(localFiles(local).bindings, `${fileNameOf(client)}-${fileNameOf(nativeId)}.json`)
}

/** A note that a client process has cleared its session, for the one that it begins then. */
export function clearedPath(local: string, client: string, pid: number): string {
  return join(local, `cleared-${fileNameOf(client)}-${pid}.json`)
}

/** Makes a folder at or below the local one, for this user alone. */
export function ensureLocalFolder(local: string, folder: string): void {
  ensureFolder(dirname(local), folder, 0o700)
}

/**
 * Any id as a file name: the same id gives the same name, different ids different names, and none of them
 * leaves the folder or hides. What is outside `A-Za-z0-9_.-`, and a leading dot, is percent-encoded; a long id
 * ends in its hash. `~` never occurs, so that it can separate what is put behind. Throws `unsafe-path` when empty.
 */
export function fileNameOf(id: string): string {
  if (id === '') throw new CortextError('unsafe-path', 'an id is empty')
  const name = PLAIN.test(id) ? id : encodeName(id)
  if (name.length <= MAX_NAME) return name
  return `${name.slice(0, 80)}%h${crypto().createHash('sha256').update(id).digest('hex')}`
}

/**
 * A workspace-relative path with forward slashes, as it is written into files. Throws `unsafe-path` when it is
 * absolute, climbs, or holds an empty part or a control character.
 */
export function checkRelativePath(path: string): string {
  const parts = path.split('/')
  const unsafe = parts.some((part) => part === '' || part === '.' || part === '..')
  if (unsafe || /[\u0000-\u001f\\]/.test(path) || /^[A-Za-z]:/.test(path))
    throw new CortextError('unsafe-path', `not a path inside the workspace: ${JSON.stringify(path)}`)
  return path
}

const PLAIN = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*$/
const MAX_NAME = 160

function encodeName(id: string): string {
  const latin1 = Buffer.from(id, 'utf8').toString('latin1')
  return latin1.replace(
    /^\.|[^A-Za-z0-9_.-]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}
