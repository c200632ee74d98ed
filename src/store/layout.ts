import { join } from 'node:path'
import { CortextError } from '../errors.ts'
import { sha256 } from '../hash.ts'
import { ensureFolder } from '../io/ensure-folder.ts'
import { isDeviceName } from '../text/device-name.ts'

/** This file is part of the hook bundle: it imports only node's modules and other files of the bundle. */

export const SESSION_FOLDER = '.session'

/**
 * The files and folders of a record, below the conversation's folder. They may come from a stranger's clone, so only
 * io/inside.ts opens them.
 */
export const RECORD = {
  folder: '.session',
  session: '.session/session.json',
  messages: '.session/messages.jsonl',
  summaries: '.session/summaries',
  archive: '.session/archive',
  subagents: '.session/subagents',
  attachments: '.session/attachments',
}

/** Like `RECORD`, but as absolute paths. */
export function recordFiles(folder: string): typeof RECORD {
  const paths = Object.entries(RECORD).map(([name, path]) => [name, join(folder, path)])
  return Object.fromEntries(paths)
}

/** The names of this machine's own files and folders; see README.md. */
const NAMES = {
  /** The local folders of workspaces in sub-folders. */
  below: 'below',
  journal: 'journal',
  bindings: 'bindings',
  bindingIndex: 'binding-index.json',
  branches: 'branches',
  contexts: 'contexts',
  copies: 'copies',
  earlierPaths: 'earlier-paths',
  goneFolder: 'gone-folder.json',
  /** The bare git repository of a private workspace's conversations. */
  history: 'conversations.git',
  index: 'index.json',
  locks: 'locks',
  log: 'log',
  making: 'making',
  mergeChecks: 'merge-checks',
  metadata: 'metadata',
  notices: 'notices',
  openSessions: 'open-sessions',
  pages: 'pages',
  pendingTurns: 'pending-turns',
  /** Where the conversations are sent; see place.ts. */
  place: 'place.json',
  /** The last automatic sync; see place.ts. */
  autoSync: 'auto-sync.json',
  published: 'published',
  notSaved: 'unkept.json',
  unpublished: 'unpublished',
  workspaceCopy: 'workspace',
  worktreeCopies: 'worktree-copies',
  words: 'words',
} as const

/** The absolute paths of this machine's own files, in the workspace's local folder `local`. */
export function localFiles(local: string): Readonly<Record<keyof typeof NAMES, string>> {
  FILES[local] ??= Object.fromEntries(
    Object.entries(NAMES).map(([key, name]): string[] => [key, join(local, name)]),
  )
  return FILES[local]!
}

/** Every conversation of a list asks for them. */
const FILES: Record<string, ReturnType<typeof localFiles>> = {}

/** Path of the first journal generation of a native session; see journal.ts. */
export function journalPath(local: string, client: string, nativeId: string): string {
  return join(localFiles(local).journal, fileNameOf(client), `${fileNameOf(nativeId)}.jsonl`)
}

/** Path of the journal generation that a segment names. */
export function generationPath(local: string, client: string, generation: string): string {
  return join(localFiles(local).journal, fileNameOf(client), generation)
}

/** The folder with the copies of a native session's side files. */
export function journalSideFolder(local: string, client: string, nativeId: string): string {
  return join(localFiles(local).journal, fileNameOf(client), `${fileNameOf(nativeId)}.d`)
}

export function turnMarkPath(local: string, client: string, nativeId: string): string {
  return join(localFiles(local).journal, fileNameOf(client), `${fileNameOf(nativeId)}.turn`)
}

/** The note of what a deletion has blanked in a journal; see forgotten.ts. */
export function forgottenPath(local: string, client: string, nativeId: string): string {
  return join(localFiles(local).journal, fileNameOf(client), `${fileNameOf(nativeId)}.forgotten`)
}

export function bindingPath(local: string, client: string, nativeId: string): string {
  return join(localFiles(local).bindings, `${fileNameOf(client)}-${fileNameOf(nativeId)}.json`)
}

/** The path of the note that a client process has cleared its session; see cleared.ts. */
export function clearedPath(local: string, client: string, pid: number): string {
  return join(local, `cleared-${fileNameOf(client)}-${pid}.json`)
}

/** Makes the local folder or a folder below it, which only this user can read. */
export function ensureLocalFolder(local: string, folder: string): void {
  // A clone may bring `local` or `<name>` of `.workspace/local/<name>` as a link, so both are checked.
  ensureFolder(join(local, '..', '..'), folder, 0o700)
}

/**
 * Makes a file name from any id. Different ids give different names. No name begins with a dot or contains a `/`. Only
 * `A-Za-z0-9_.-` stay as they are; other characters, and a dot at the beginning or the end, are percent-encoded, and so
 * is the first letter of a name that Windows keeps for a device (`aux`, `con.x`). A name that would be too long is cut
 * and ends in a hash of the id. No name contains a `~`, so a suffix can begin with `~`. Throws `unsafe-path` when the
 * id is empty.
 */
export function fileNameOf(id: string): string {
  if (id === '') throw new CortextError('unsafe-path', 'an id is empty')
  const name = PLAIN_ID.test(id) && !isDeviceName(id) ? id : encodeName(id)
  if (name.length <= MAX_NAME_LENGTH) return name
  return `${name.slice(0, 80)}%h${sha256(id)}`
}

/**
 * Checks a workspace-relative path with forward slashes that was read from a file, and returns it. Throws `unsafe-path`
 * when it is absolute, when a part of it is empty, `.` or `..`, or when it contains a backslash or a control character.
 */
export function checkRelativePath(path: string): string {
  const parts = path.split('/')
  const unsafe = parts.some((part) => part === '' || part === '.' || part === '..')
  if (unsafe || /[\u0000-\u001f\\]/.test(path) || /^[A-Za-z]:/.test(path))
    throw new CortextError('unsafe-path', `not a path inside the workspace: ${JSON.stringify(path)}`)
  return path
}

const PLAIN_ID = /^[A-Za-z0-9_-](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?$/
const MAX_NAME_LENGTH = 160

function encodeName(id: string): string {
  const latin1 = Buffer.from(id, 'utf8').toString('latin1')
  const name = latin1.replace(/^\.|\.$|[^A-Za-z0-9_.-]/g, percentEncoded)
  return isDeviceName(name) ? name.replace(/^./, percentEncoded) : name
}

function percentEncoded(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}
