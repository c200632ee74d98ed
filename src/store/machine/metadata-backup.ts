import { existsSync, lstatSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { listNames } from '../../io/list-names.ts'
import { SessionFile } from '../../session/schema.ts'
import { checkRelativePath, fileNameOf, localFiles, recordFiles } from '../layout.ts'
import { writeLog } from './log.ts'
import { type Note, readNote, removeNote, writeNote } from './note.ts'

/**
 * This machine's copy of a session.json. A conversation has one or two: `<name>.json` is the published state,
 * `<name>~held.json` a later one that is held back. `path` is the workspace-relative path of the conversation. If `git
 * clean`, `checkout` or `reset` removes the conversation's folder, this copy still knows the conversation, and its
 * journal still contains the talk.
 */
export interface MetadataBackup {
  path: string
  session: SessionFile
  /**
   * Present if the state is held back: the work tree gets it when the conversation is published. `folder` is the inode
   * of the conversation's folder. If somebody moves the folder before that, it is found by its inode.
   */
  held?: { folder: number }
}

/**
 * Writes the copy of the published session.json in `folder`, and removes the state that was held back. The copy gets the
 * time of the file: a worktree whose file is older has an older state (`publishedSince`). Throws what files throw.
 */
export function writeMetadataBackup(local: string, path: string, session: SessionFile, folder: string): void {
  const at = statSync(recordFiles(folder).session, { throwIfNoEntry: false })?.mtimeMs
  // The time goes in with the write: a kill before a later call for it would leave a copy that is later than the file.
  writeNote(local, noteOf(local, checkRelativePath(path)), { path, session }, at && Math.floor(at))
  removeNote(noteOf(local, path, HELD))
}

/** Whether a state was published after a worktree wrote its session.json, at `mtimeMs` (in milliseconds since 1970). */
export function publishedSince(local: string, path: string, mtimeMs: number): boolean {
  return mtimeMs < (publishedAt(local, path) ?? 0)
}

function publishedAt(local: string, path: string): number | undefined {
  return statSync(noteOf(local, path).path, { throwIfNoEntry: false })?.mtimeMs
}

/**
 * Holds the state of a conversation back from the work tree. The copy of the published session.json stays. `folder` is
 * the conversation's folder. Throws what files throw.
 */
export function holdMetadata(local: string, path: string, session: SessionFile, folder: string): void {
  const inode = lstatSync(folder, { throwIfNoEntry: false })?.ino ?? 0
  writeNote(local, noteOf(local, checkRelativePath(path), HELD), { path, session, held: { folder: inode } })
}

/** When the state of a conversation was last held back, in milliseconds since 1970; undefined when it is not. */
export function heldAt(local: string, path: string): number | undefined {
  return statSync(noteOf(local, path, HELD).path, { throwIfNoEntry: false })?.mtimeMs
}

/** The newest state that this machine knows: the one that is held back, else the published one. */
export function readMetadataBackup(local: string, path: string): MetadataBackup | undefined {
  return readBackup(local, noteOf(local, path, HELD)) ?? readBackup(local, noteOf(local, path))
}

/** The path of the conversation whose files are named so (`fileNameOf`); undefined if there is no backup of it. */
export function pathNamed(local: string, name: string): string | undefined {
  const { metadata } = localFiles(local)
  const endings = [`${HELD}.json`, '.json']
  return endings.map((ending) => readBackup(local, noteIn(metadata, `${name}${ending}`))?.path).find(Boolean)
}

/**
 * Copies both states of a conversation, the published one and the one that is held back, to the new path of its folder,
 * each with its time, and with the new `id` if there is one. Does nothing if a state was published under the new path,
 * or if another conversation has it. Throws what files throw.
 */
export function copyMetadata(local: string, from: string, to: string, id: string | undefined): void {
  const there = readMetadataBackup(local, to)
  const isOwn = there?.session.origin === readMetadataBackup(local, from)?.session.origin
  if (there !== undefined && (publishedAt(local, to) !== undefined || !isOwn)) return
  // The published one last: after a kill between the two, the next call does both again.
  for (const ending of [HELD, '']) {
    const [old, now] = [from, checkRelativePath(to)].map((path) => noteOf(local, path, ending))
    const backup = readBackup(local, old!)
    if (backup === undefined || existsSync(now!.path)) continue
    const session = id === undefined ? backup.session : { ...backup.session, conversation_id: id }
    writeNote(local, now!, { ...backup, path: to, session }, Math.floor(statSync(old!.path).mtimeMs))
  }
}

/** Does nothing when there is no backup. */
export function removeMetadataBackup(local: string, path: string): void {
  // The published copy is removed last. As long as it is there, scans list the conversation, and the removal can be
  // repeated.
  for (const ending of [HELD, '']) removeNote(noteOf(local, path, ending))
}

/**
 * Returns the newest known state of every conversation. For the `skipped` paths, only states that are held back are
 * read.
 */
export function listMetadataBackups(local: string, skipped: Iterable<string> = []): MetadataBackup[] {
  const folder = localFiles(local).metadata
  const names = listNames(folder, '.json')
  if (names.length === 0) return []
  const held = names.filter((name) => name.endsWith(`${HELD}.json`))
  const skippedNames = new Set([...skipped].map((path) => `${fileNameOf(path)}.json`))
  for (const name of held) skippedNames.add(name).add(name.replace(`${HELD}.json`, '.json'))
  return [...names.filter((name) => !skippedNames.has(name)), ...held]
    .map((name) => readBackup(local, noteIn(folder, name)))
    .filter((found) => found !== undefined)
}

/**
 * The numbers of the conversations in a day's folder (workspace-relative) that this machine knows from any branch or
 * worktree. They come from the names of the backups, because opening all backups would slow down every start.
 */
export function backedUpNumbers(local: string, day: string): number[] {
  const prefix = fileNameOf(`${day}/`)
  return listNames(localFiles(local).metadata, '.json').flatMap((name) => {
    const digits = name.startsWith(prefix) ? /^\d+(?=-)/.exec(name.slice(prefix.length)) : null
    return digits === null ? [] : [Number.parseInt(digits[0], 10)]
  })
}

/** The file of a state that is held back has this ending. `fileNameOf` makes no name with a `~`. */
const HELD = '~held'

function noteOf(local: string, path: string, ending = ''): Note<MetadataBackup> {
  return noteIn(localFiles(local).metadata, `${fileNameOf(path)}${ending}.json`)
}

function noteIn(folder: string, name: string): Note<MetadataBackup> {
  return {
    path: join(folder, name),
    parse(value) {
      const { path, session, held } = value as MetadataBackup
      return {
        path: checkRelativePath(path),
        session: SessionFile.parse(session),
        ...(name.endsWith(`${HELD}.json`) && { held: { folder: Number(held?.folder) } }),
      }
    },
  }
}

/** A backup that cannot be read is logged. It is needed only if the conversation's folder is gone. */
function readBackup(local: string, note: Note<MetadataBackup>): MetadataBackup | undefined {
  const backup = readNote({ ...note, cache: true })
  if (backup === undefined && existsSync(note.path))
    writeLog(local, `metadata backup cannot be read: ${note.path}`)
  return backup
}
