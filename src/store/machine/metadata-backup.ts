import { readFileSync, rmSync } from 'node:fs'
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
}

export function writeMetadataBackup(local: string, path: string, session: SessionFile): void {
  const file = backupFile(local, checkRelativePath(path))
  ensureLocalFolder(local, dirname(file))
  writeFileAtomic(file, `${JSON.stringify({ path, session })}\n`, { mode: 0o600, refuseSymlink: true })
}

export function readMetadataBackup(local: string, path: string): MetadataBackup | undefined {
  return readBackupFile(local, backupFile(local, path))
}

/** Does nothing when there is no backup. */
export function removeMetadataBackup(local: string, path: string): void {
  const file = backupFile(local, path)
  try {
    rmSync(file, { force: true })
  } catch (error) {
    throw fileError(error, file, 'write')
  }
}

/** All backups except those of the `known` paths, whose files are not even opened. */
export function listMetadataBackups(local: string, known: Iterable<string> = []): MetadataBackup[] {
  const folder = localFiles(local).shadow
  const names = listNames(folder, '.json')
  if (names.length === 0) return []
  const passed = new Set([...known].map((path) => `${fileNameOf(path)}.json`))
  return names
    .filter((name) => !passed.has(name))
    .map((name) => readBackupFile(local, join(folder, name)))
    .filter((found) => found !== undefined)
}

/**
 * The numbers of the conversations that this machine knows in a day's folder (workspace-relative), in any branch or
 * worktree. They are read from the file names, because opening all files would slow down every start.
 */
export function backedUpNumbers(local: string, day: string): number[] {
  const prefix = fileNameOf(`${day}/`)
  return listNames(localFiles(local).shadow, '.json').flatMap((name) => {
    const digits = name.startsWith(prefix) ? /^\d+(?=-)/.exec(name.slice(prefix.length)) : null
    return digits === null ? [] : [Number.parseInt(digits[0], 10)]
  })
}

function backupFile(local: string, path: string): string {
  return join(localFiles(local).shadow, `${fileNameOf(path)}.json`)
}

function readBackupFile(local: string, file: string): MetadataBackup | undefined {
  try {
    const { path, session } = JSON.parse(readFileSync(file, 'utf8'))
    return { path: checkRelativePath(path), session: SessionFile.parse(session) }
  } catch (error) {
    // The conversation's folder is usually there, and then a broken backup does no harm.
    if (errnoOf(error) !== 'ENOENT') writeLog(local, `metadata backup cannot be read: ${file}`)
    return undefined
  }
}
