import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { CortextError, type ErrorCode } from '../errors.ts'
import { TEMP_SUFFIX } from '../io/atomic-write.ts'
import { errnoOf, fileError } from '../io/file-error.ts'
import { listNames } from '../io/list-names.ts'
import { type IndexEntry, indexEntryOf } from '../session/index-entry.ts'
import { localFiles, RECORD, SESSION_FOLDER } from './layout.ts'
import { type FileIndex, openFileIndex } from './machine/indexes/file-index.ts'
import { listMetadataBackups, publishedSince } from './machine/metadata-backup.ts'
import { mend, readSession } from './record/session-file.ts'

/** A conversation that the scan found. It has an index entry, a problem, or both. */
export interface Entry extends Content {
  /** The path of its folder relative to the root, with forward slashes. */
  path: string
  /** The absolute path of its folder. */
  folder: string
  /** The modification time of session.json in milliseconds; 0 when there is no such file. */
  mtimeMs: number
  /** The folder is gone from the work tree, so `session` comes from the metadata backup. */
  backupOnly?: true
  /** Another worktree has published the conversation since: `session` is what it has published. */
  older?: true
  /** This machine has messages or a state of the conversation that the work tree does not have yet. */
  held?: true
  /** The paths of the conversation's folder, as this machine knew them, before somebody moved or renamed the folder. */
  before?: string[]
}

interface Content {
  session?: IndexEntry
  problem?: Problem
}

/** The problem of one file. `path` is absolute. */
interface Problem {
  code: ErrorCode
  message: string
  path: string
  fix?: string
}

export interface Scan {
  conversations: Entry[]
  /**
   * The paths of folders that are named like conversations but have no `.session/`: somebody made them without cortext,
   * or has deleted the `.session/`. Relative to the root, sorted.
   */
  documents: string[]
}

interface ScanOptions {
  /** If false, nothing is written. */
  mayWrite?: boolean
  /** Whether a state counts that another worktree has published since this one. */
  hasCopies?: boolean
}

/** Finds the conversations, as scanConversations does, and the folders that only have the name of a conversation. */
export function scanWorkspace(
  root: string,
  local: string,
  { mayWrite = true, hasCopies = false }: ScanOptions = {},
): Scan {
  const index = openFileIndex<Seen>(local, localFiles(local).index, [indexEntryOf, readContent, listFolders])
  const entries: Entry[] = []
  const bare: string[] = []
  for (const { path, hasSession } of conversationFolders(index, root)) {
    const entry = hasSession ? readEntry(index, path, `${root}/${path}`) : undefined
    if (entry !== undefined) entries.push(entry)
    else bare.push(path)
  }
  if (mayWrite) index.save()
  const conversations = withBackups({ entries, bare, root, local, hasCopies }).sort(byPath)
  const listed = new Set(conversations.map(({ path }) => path))
  return { conversations, documents: bare.filter((path) => !listed.has(path)).sort() }
}

/**
 * Finds every folder with a `.session/` below `root`, and adds the conversations that only a metadata backup still
 * knows. Sorted by path. It does not enter `.git`, `node_modules`, `.workspace`, symlinks and other workspaces. If a
 * session.json cannot be read, its entry has a problem. An index (file-index.ts) keeps what the files contained, so a
 * conversation that has not changed costs two `stat`s.
 */
export function scanConversations(root: string, local: string, options: ScanOptions = {}): Entry[] {
  return scanWorkspace(root, local, options).conversations
}

interface Found {
  entries: Entry[]
  bare: readonly string[]
  root: string
  local: string
  hasCopies: boolean
}

/**
 * Adds the conversations that only a backup knows. If a backup holds a state back, the conversation is shown with this
 * state. If somebody has moved a conversation's folder, the conversation is listed only at its new path.
 */
function withBackups({ entries, bare, root, local, hasCopies }: Found): Entry[] {
  const entryAt = new Map(entries.map((entry) => [entry.path, entry]))
  const isNewest = ({ path, mtimeMs }: Entry) => !hasCopies || !publishedSince(local, path, mtimeMs)
  const newest = entries.filter(isNewest).map(({ path }) => path)
  const backups = listMetadataBackups(local, newest)
  if (backups.length === 0) return entries
  // Several folders may contain the same conversation, for example copies. The folder that sorts first counts, so that
  // every process takes the same one.
  const present = new Map(
    entries
      .toSorted(byPath)
      .toReversed()
      .flatMap((entry) => namesOf(entry.session).map((name) => [name, entry] as const)),
  )
  const known = new Set(backups.map(({ path }) => path))
  const gone = backups.flatMap(({ path, session: whole, held }): Entry[] => {
    const session = indexEntryOf(whole)
    const entry = entryAt.get(path)
    if (entry !== undefined) return held === undefined ? showNewer(entry, session) : showHeld(entry, session)
    const moved = namesOf(session).flatMap((name) => present.get(name) ?? [])[0]
    if (moved === undefined) return [onlyKnown(path, session, held?.folder, { bare, known, root })]
    moved.before = [...(moved.before ?? []), path]
    return []
  })
  return [...entries, ...gone]
}

/**
 * A conversation without a record in the work tree. A backup that holds its state back has the inode of its folder.
 * With the inode, the folder is found if somebody has moved it. After its folder was removed, a new conversation may have
 * got the inode: that one is `known` by a backup of its own.
 */
function onlyKnown(
  path: string,
  session: IndexEntry,
  inode: number | undefined,
  { bare, known, root }: { bare: readonly string[]; known: ReadonlySet<string>; root: string },
): Entry {
  const entry = { path, session, folder: `${root}/${path}`, mtimeMs: 0 }
  if (inode === undefined) return { ...entry, backupOnly: true }
  if (bare.includes(path)) return { ...entry, held: true }
  const inodeOf = (folder: string) => lstatSync(`${root}/${folder}`, { throwIfNoEntry: false })?.ino
  const to = bare.find((folder) => !known.has(folder) && inodeOf(folder) === inode)
  if (to === undefined) return { ...entry, held: true, backupOnly: true }
  return { ...entry, path: to, folder: `${root}/${to}`, held: true, before: [path] }
}

/**
 * Marks an entry as held back, and gives it the held state. If the folder contains another conversation or a newer
 * state, the entry keeps the folder's state.
 */
function showHeld(entry: Entry, session: IndexEntry): [] {
  entry.held = true
  // The first save was killed after it had written messages.jsonl. The next save writes session.json.
  if (entry.mtimeMs === 0 && entry.problem?.code === 'corrupt') delete entry.problem
  const present = entry.session
  if (present !== undefined && isOther(present, session)) return []
  // Git may have joined the record with one of another clone since the state was held back.
  const { message_count: count } = session
  entry.session = { ...session, message_count: Math.max(count, present?.message_count ?? 0) }
  return []
}

/** Gives the entry the state that another worktree has published, unless the folder contains another or newer one. */
function showNewer(entry: Entry, session: IndexEntry): [] {
  if (entry.session === undefined || isOther(entry.session, session)) return []
  entry.older = true
  entry.session = session
  return []
}

/** Whether what the folder has is another conversation than that of a backup, or a newer state. */
function isOther(present: IndexEntry, backup: IndexEntry): boolean {
  const another =
    present.origin !== undefined && backup.origin !== undefined && present.origin !== backup.origin
  return another || Date.parse(present.last_active) > Date.parse(backup.last_active)
}

function byPath(a: Entry, b: Entry): number {
  return a.path < b.path ? -1 : 1
}

/**
 * What identifies a conversation also after somebody has moved its folder: its origin, also where a killed program has given
 * it another id; else, as in a record of another program, its id and creation time.
 */
function namesOf(session: IndexEntry | undefined): string[] {
  if (session === undefined) return []
  const { origin, created_at: begun, conversation_id: id } = session
  return [...(origin === undefined ? [] : [origin]), ...(Date.parse(begun) > 0 ? [`${begun} ${id}`] : [])]
}

/**
 * A value of the index: the content of a session.json (its key is `<path>`), or the subfolders of a folder (`<path>/`).
 */
interface Seen extends Content {
  folders?: string[]
}

const NOT_ENTERED = new Set(['.git', 'node_modules', '.workspace', SESSION_FOLDER])
/** The folder of a conversation that a process is making, such as `.001`, or was making when it died. */
const UNFINISHED = /^\.\d{3,6}$/

/** A path that ends in, for example, `2025-11-10/001-brainstorm-api-design`. */
const CONVERSATION_PATH = /(?:^|\/)\d{4}-\d{2}-\d{2}\/\d{1,6}-[a-z][^/]*$/

/**
 * The relative paths of the folders that contain a `.session/` or are named like conversations. The root is not among
 * them.
 */
function* conversationFolders(
  index: FileIndex<Seen>,
  root: string,
): Generator<{ path: string; hasSession: boolean }> {
  const waiting = ['']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const folders = foldersIn(index, path, path === '' ? root : `${root}/${path}`)
    if (path !== '' && folders.includes('.workspace')) continue
    const hasSession = folders.includes(SESSION_FOLDER)
    if (path !== '' && (hasSession || CONVERSATION_PATH.test(path))) yield { path, hasSession }
    // `pop` takes the last one, so the names are pushed in reverse. The folders then come nearly in sorted order.
    for (const name of folders.toReversed())
      if (!NOT_ENTERED.has(name) && !name.endsWith(TEMP_SUFFIX) && !UNFINISHED.test(name))
        waiting.push(path === '' ? name : `${path}/${name}`)
  }
}

/**
 * The system changes a folder's modification time whenever a name in it comes or goes, so folders can be indexed like
 * files.
 */
function foldersIn(index: FileIndex<Seen>, path: string, folder: string): string[] {
  try {
    const stats = lstatSync(folder)
    if (!stats.isDirectory()) return []
    const seen = index.look(`${path}/`, stats, () => ({ folders: listFolders(folder) }))
    return seen.folders ?? []
  } catch (error) {
    // The folder has gone since it was listed, or this user may not read it, for example because it has the data of a
    // container.
    if (errnoOf(error) === undefined) throw error
    return []
  }
}

function listFolders(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  return folders.sort()
}

/** The names in the `.session/` of a conversation that a scan has found. Throws what files throw. */
export function namesInRecord(folder: string): string[] {
  return listNames(`${folder}/${SESSION_FOLDER}`, '')
}

function readEntry(index: FileIndex<Seen>, path: string, folder: string): Entry | undefined {
  const file = `${folder}/${SESSION_FOLDER}/session.json`
  try {
    const stats = lstatSync(file, { throwIfNoEntry: false })
    if (stats !== undefined) {
      const content = index.look(path, stats, () => readContent(folder))
      return { path, folder, ...content, mtimeMs: stats.mtimeMs }
    }
    const messages = lstatSync(join(folder, RECORD.messages), { throwIfNoEntry: false })
    return messages && { path, folder, problem: missing(file), mtimeMs: 0 }
  } catch (error) {
    return { path, folder, problem: problemOf(fileError(error, file, 'read'), file), mtimeMs: 0 }
  }
}

function readContent(folder: string): Content {
  const path = join(folder, RECORD.session)
  try {
    const read = readSession(folder)
    if (read === undefined) return { problem: missing(path) }
    const [conflict] = read.problems
    if (conflict === undefined) return { session: indexEntryOf(read.session) }
    const message = `${path}:${conflict.line} contains a git conflict; both sides were read`
    return {
      session: indexEntryOf(read.session),
      problem: { code: 'corrupt', message, path, fix: mend(folder) },
    }
  } catch (error) {
    return { problem: problemOf(error, path) }
  }
}

function missing(path: string): Problem {
  return {
    code: 'corrupt',
    message: `${path} is missing next to messages.jsonl`,
    path,
    fix: mend(join(path, '..', '..')),
  }
}

function problemOf(error: unknown, path: string): Problem {
  if (!(error instanceof CortextError)) throw error
  const { code, message, fix } = error
  return { code, message, path, ...(fix === undefined ? {} : { fix }) }
}
