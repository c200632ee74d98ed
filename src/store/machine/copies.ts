import { existsSync, linkSync, lstatSync, renameSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { TEMP_SUFFIX, temporaryPath, writeFileAtomic } from '../../io/atomic-write.ts'
import { accessFile, errnoOf } from '../../io/file-error.ts'
import {
  listInside,
  MAX_LINES,
  pathInside,
  readBytesInside,
  statInside,
  writeInside,
} from '../../io/inside.ts'
import { listAllNames, listFilesBelow, listNames } from '../../io/list-names.ts'
import { readRegular } from '../../io/regular-file.ts'
import { removePath, rmdirIfEmpty } from '../../io/remove.ts'
import { withSlashes } from '../../io/slashes.ts'
import { checkRelativePath, ensureLocalFolder, fileNameOf, localFiles, RECORD } from '../layout.ts'
import { type Note, readNote, removeNote, writeNote } from './note.ts'

/** This file is part of the hook bundle: it imports only node's modules and other files of the bundle. */

/**
 * Keeps copies, in the local folder, of the files of a workspace that nothing else on this machine can restore:
 * documents, records that are not wholly in journals, settings and prompts. Git ignores a private workspace, so `git
 * clean -x` removes it. This command does not touch git's own folder, where the copies are.
 */

/**
 * Copies the documents of a conversation: the Markdown files in its folder, but for what is too large for a record, or no
 * file, such as a link. Each linked worktree has copies of its own, by its name (`linkedName`): nobody has joined what two
 * of them wrote, and one may be removed. Throws what files throw.
 */
export function keepDocuments(local: string, root: string, path: string, linked: string | undefined): void {
  const own = copyFolder(local, path, linked)
  // It says that the conversation was held there, also if it has no document.
  if (linked !== undefined) ensureLocalFolder(local, own)
  for (const name of listInside(root, path, '.md')) {
    const stats = lstatSync(join(root, path, name), { throwIfNoEntry: false })
    if (stats?.isFile() && stats.size <= MAX_LINES) keep(local, root, `${path}/${name}`, own)
  }
}

/** A copy of a document: `file` is absolute, `mtime` that of the document. */
export interface DocumentCopy {
  name: string
  file: string
  mtime: Date
}

/** The copies of the documents of a conversation from all work trees, the oldest version first. */
export function documentCopies(local: string, path: string): DocumentCopy[] {
  return copyFolders(local, path)
    .flatMap((from) => listNames(from, '.md').map((name) => ({ name, file: join(from, name) })))
    .flatMap(({ name, file }) => {
      const stats = statSync(file, { throwIfNoEntry: false })
      return stats === undefined ? [] : [{ name, file, mtime: stats.mtime }]
    })
    .sort((a, b) => a.mtime.getTime() - b.mtime.getTime())
}

/**
 * Copies the messages and the pruned lines of a conversation. If the disk allows it, the copies are hard links, which
 * take no room. Throws what files throw.
 */
export function keepRecord(local: string, root: string, path: string): void {
  const archived = listInside(root, `${path}/${RECORD.archive}`, '.jsonl').map(
    (name) => `${RECORD.archive}/${name}`,
  )
  for (const file of [RECORD.messages, ...archived]) {
    const [from, to] = [join(root, path, file), join(copyFolder(local, path), file)]
    if (statInside(root, `${path}/${file}`)?.isFile() !== true) continue
    ensureLocalFolder(local, dirname(to))
    if (!tryHardLink(from, to)) keep(local, root, `${path}/${file}`, dirname(to))
  }
}

/** Whether there is a copy of the messages of a conversation. */
export function hasKeptRecord(local: string, path: string): boolean {
  return existsSync(join(copyFolder(local, path), RECORD.messages))
}

/** Copies the settings, prompts, templates and memory of the workspace. Throws what files throw. */
export function keepWorkspaceFiles(local: string, root: string): void {
  for (const [folder, suffix] of WORKSPACE_FILES)
    for (const name of listInside(root, folder, suffix))
      keep(local, root, `${folder}/${name}`, join(localFiles(local).workspaceCopy, folder))
}

const WORKSPACE_FILES = [
  ['.workspace', '.json'],
  ['.workspace/commands', '.md'],
  ['.workspace/templates', '.md'],
  ['.workspace/memory', '.md'],
] as const

/**
 * Writes the copies of a conversation back into its folder, if the files are missing there. Returns the paths that it
 * has written, relative to the root. Throws what files throw.
 */
export function bringBack(local: string, root: string, path: string): string[] {
  const documents = newestCopies(local, path).filter(
    ({ name }) => statInside(root, `${path}/${name}`) === undefined,
  )
  const written = documents.filter((copy) => writeDocument(root, path, copy))
  const others = writeMissing(copyFolder(local, path), root, path)
  return [...written.map(({ name }) => `${path}/${name}`), ...others]
}

/** The newest copy of each document of a conversation. */
export function newestCopies(local: string, path: string): DocumentCopy[] {
  return [...new Map(documentCopies(local, path).map((copy) => [copy.name, copy])).values()]
}

/**
 * Writes a copy into the folder of the conversation, with its time: whoever writes the document in another work tree
 * later has the later version. False if the copy is gone. Throws what files throw.
 */
export function writeDocument(root: string, path: string, { name, file, mtime }: DocumentCopy): boolean {
  const bytes = readRegular(file)
  if (bytes === undefined) return false
  writeInside(root, `${path}/${name}`, bytes)
  utimesSync(pathInside(root, `${path}/${name}`), mtime, mtime)
  return true
}

/** Like `bringBack`, but only for the pruned lines. */
export function bringBackPruned(local: string, root: string, path: string): void {
  writeMissing(join(copyFolder(local, path), RECORD.archive), root, `${path}/${RECORD.archive}`)
}

/** Like `bringBack`, but for the files of the workspace itself. */
export function bringBackWorkspaceFiles(local: string, root: string): string[] {
  return writeMissing(localFiles(local).workspaceCopy, root, '')
}

/** Gives the copies of a conversation the new path of its folder, unless that path has copies. Throws `unwritable`. */
export function moveCopies(local: string, from: string, to: string): void {
  for (const linked of [undefined, ...linkedWithCopies(local)]) {
    const [before, after] = [copyFolder(local, from, linked), copyFolder(local, to, linked)]
    if (existsSync(before) && !existsSync(after)) accessFile(before, 'write', () => renameSync(before, after))
  }
  forgetCopies(local, from)
}

/**
 * A note that a conversation was begun where the folder of the conversations was gone. Then the folder is there, but the
 * other conversations are not.
 */
export function noteGoneFolder(local: string): void {
  writeNote(local, goneFolderNote(local), true)
}

export function isFolderNotedGone(local: string): boolean {
  return readNote(goneFolderNote(local)) === true
}

export function forgetGoneFolder(local: string): void {
  removeNote(goneFolderNote(local))
}

function goneFolderNote(local: string): Note<boolean> {
  return { path: localFiles(local).goneFolder, parse: (value) => value === true, cache: true }
}

/** Removes the copies of a conversation's documents, in all their versions. Throws `unwritable`. */
export function forgetDocuments(local: string, path: string): void {
  for (const { file } of documentCopies(local, path)) removePath(file)
}

/** Removes the copies of a conversation. Throws `unwritable`. */
export function forgetCopies(local: string, path: string): void {
  for (const folder of copyFolders(local, path)) removePath(folder)
}

/** The folder with the copies of a conversation's files, or those of a linked worktree. It need not exist. */
export function copyFolder(local: string, path: string, linked?: string): string {
  const { copies, worktreeCopies } = localFiles(local)
  const above = linked === undefined ? copies : join(worktreeCopies, linked)
  return join(above, fileNameOf(checkRelativePath(path)))
}

function copyFolders(local: string, path: string): string[] {
  return [undefined, ...linkedWithCopies(local)].map((linked) => copyFolder(local, path, linked))
}

/** The names of the linked worktrees that have copies. Some may be gone. */
export function linkedWithCopies(local: string): string[] {
  return listAllNames(localFiles(local).worktreeCopies, '')
}

/** The names of the conversations (`fileNameOf` their paths) that were held in a linked worktree. */
export function heldInLinked(local: string, linked: string): string[] {
  return listAllNames(join(localFiles(local).worktreeCopies, linked), '')
}

/** Removes the copies of a conversation from a linked worktree that is gone. Throws `unwritable`. */
export function forgetLinked(local: string, linked: string, path: string): void {
  const folder = copyFolder(local, path, linked)
  removePath(folder)
  rmdirIfEmpty(dirname(folder))
}

/**
 * Copies a file into a folder of ours. Does nothing if the copy has the same size and modification time (in
 * milliseconds).
 */
function keep(local: string, root: string, path: string, folder: string): void {
  const copy = join(folder, path.split('/').at(-1)!)
  const [from, there] = [join(root, path), statSync(copy, { throwIfNoEntry: false })]
  const stats = lstatSync(from, { throwIfNoEntry: false })
  if (stats === undefined || (there?.size === stats.size && there.mtime.getTime() === stats.mtime.getTime()))
    return
  const bytes = readBytesInside(root, path, MAX_LINES)
  if (bytes === undefined) return
  ensureLocalFolder(local, folder)
  writeFileAtomic(copy, bytes, { mode: 0o600, refuseSymlink: true })
  utimesSync(copy, stats.atime, stats.mtime)
}

/** Makes `to` a hard link to the file `from`. False if the system refuses, for example between two disks. */
function tryHardLink(from: string, to: string): boolean {
  const [source, target] = [
    lstatSync(from, { throwIfNoEntry: false }),
    lstatSync(to, { throwIfNoEntry: false }),
  ]
  if (source !== undefined && source.ino === target?.ino && source.dev === target.dev) return true
  const temp = temporaryPath(to)
  try {
    linkSync(from, temp)
    renameSync(temp, to)
    return true
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    return false
  }
}

function writeMissing(folder: string, root: string, below: string): string[] {
  const names = listFilesBelow(folder).filter((name) => !name.endsWith(TEMP_SUFFIX))
  return names
    .map(withSlashes)
    .sort()
    .flatMap((name) => {
      const path = below === '' ? name : `${below}/${name}`
      if (statInside(root, path) !== undefined) return []
      const bytes = readRegular(join(folder, name))
      if (bytes === undefined) return []
      writeInside(root, path, bytes)
      return [path]
    })
}
