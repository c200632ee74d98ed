import { existsSync, lstatSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import { errnoOf, fileError } from '../../io/file-error.ts'
import { listNames } from '../../io/list-names.ts'
import { SessionFile } from '../../session/schema.ts'
import { checkRelativePath, ensureLocalFolder, fileNameOf, localFiles } from '../layout.ts'
import { writeLog } from './log.ts'

/**
 * This machine's copy of each session.json, named by the workspace-relative path of the conversation. When `git clean`,
 * `checkout` or `reset` took a conversation's folder away, the backup still knows it, and its journal still holds the
 * talk.
 */
export interface MetadataBackup {
  path: string
  session: SessionFile
  /**
   * The state is held back: the work tree gets it when the conversation is published. Until then the inode of its folder
   * tells where that was moved to.
   */
  held?: { folder: number }
}

/** Writes the copy of what is published; nothing is held back any more. Throws what files throw. */
export function writeMetadataBackup(local: string, path: string, session: SessionFile): void {
  write(local, backupFile(local, checkRelativePath(path)), { path, session })
  remove(backupFile(local, path, HELD))
}

/**
 * Holds the state of a conversation back from the work tree, beside the copy of what is published. `folder` is the place
 * of its folder. Throws likewise.
 */
export function holdMetadata(local: string, path: string, session: SessionFile, folder: string): void {
  const inode = lstatSync(folder, { throwIfNoEntry: false })?.ino ?? 0
  write(local, backupFile(local, checkRelativePath(path), HELD), { path, session, held: { folder: inode } })
}

/** When the state of a conversation was held back last, in milliseconds; undefined where nothing is. */
export function heldAt(local: string, path: string): number | undefined {
  return statSync(backupFile(local, path, HELD), { throwIfNoEntry: false })?.mtimeMs
}

/** What this machine knows last: what is held back, else the copy of what was published. */
export function readMetadataBackup(local: string, path: string): MetadataBackup | undefined {
  const held = backupFile(local, path, HELD)
  return (
    (existsSync(held) ? readBackupFile(local, held) : undefined) ??
    readBackupFile(local, backupFile(local, path))
  )
}

/** The same state, held back or not, of a conversation whose folder lies elsewhere now. Throws likewise. */
export function moveMetadata(local: string, { session, held }: MetadataBackup, to: string): void {
  if (held === undefined) writeMetadataBackup(local, to, session)
  else write(local, backupFile(local, checkRelativePath(to), HELD), { path: to, session, held })
}

/** Does nothing when there is no backup. */
export function removeMetadataBackup(local: string, path: string): void {
  // The last one to go is the one that a scan takes for a conversation whose folder is gone.
  for (const name of [HELD, '']) remove(backupFile(local, path, name))
}

/** What is held back, and the backups of all paths but the `known` ones, whose files are not even opened. */
export function listMetadataBackups(local: string, known: Iterable<string> = []): MetadataBackup[] {
  const folder = localFiles(local).metadata
  const names = listNames(folder, '.json')
  if (names.length === 0) return []
  const held = names.filter((name) => name.endsWith(`${HELD}.json`))
  const passed = new Set([...known].map((path) => `${fileNameOf(path)}.json`))
  for (const name of held) passed.add(name).add(name.replace(`${HELD}.json`, '.json'))
  return [...names.filter((name) => !passed.has(name)), ...held]
    .map((name) => readBackupFile(local, join(folder, name)))
    .filter((found) => found !== undefined)
}

/**
 * The numbers of the conversations that this machine knows in a day's folder (workspace-relative), in any branch or
 * worktree. They are read from the file names, because opening all files would slow down every start.
 */
export function backedUpNumbers(local: string, day: string): number[] {
  const prefix = fileNameOf(`${day}/`)
  return listNames(localFiles(local).metadata, '.json').flatMap((name) => {
    const digits = name.startsWith(prefix) ? /^\d+(?=-)/.exec(name.slice(prefix.length)) : null
    return digits === null ? [] : [Number.parseInt(digits[0], 10)]
  })
}

/** Behind the name of a file that holds a state back; no name of ours contains a `~`. */
const HELD = '~held'

function backupFile(local: string, path: string, end = ''): string {
  return join(localFiles(local).metadata, `${fileNameOf(path)}${end}.json`)
}

function write(local: string, file: string, backup: MetadataBackup): void {
  ensureLocalFolder(local, dirname(file))
  writeFileAtomic(file, `${JSON.stringify(backup)}\n`, { mode: 0o600, refuseSymlink: true })
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch (error) {
    throw fileError(error, file, 'write')
  }
}

function readBackupFile(local: string, file: string): MetadataBackup | undefined {
  try {
    const { path, session, held } = JSON.parse(readFileSync(file, 'utf8'))
    return {
      path: checkRelativePath(path),
      session: SessionFile.parse(session),
      ...(file.endsWith(`${HELD}.json`) && { held: { folder: Number(held?.folder) } }),
    }
  } catch (error) {
    // The conversation's folder is usually there, and then a broken backup does no harm.
    if (errnoOf(error) !== 'ENOENT') writeLog(local, `metadata backup cannot be read: ${file}`)
    return undefined
  }
}
