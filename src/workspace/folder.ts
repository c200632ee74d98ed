import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CortextError } from '../errors.ts'
import { sha256 } from '../hash.ts'
import { syncFolder } from '../io/atomic-write.ts'
import { ensureFolder } from '../io/ensure-folder.ts'
import { accessFile, errnoOf, fileError } from '../io/file-error.ts'
import {
  copyInside,
  pathInside,
  readInside,
  removeEmptyInside,
  removeInside,
  writeInside,
} from '../io/inside.ts'
import { checkTypeName, isTypeName } from './registry.ts'
import { slugOf } from './slug.ts'
import { fillTemplate } from './template.ts'

export interface NewConversation {
  root: string
  /** The folder of the type's conversations, relative to the root: `conversations`. */
  folder: string
  /** The local day: `2026-11-21`. */
  date: string
  type: string
  /** The title: what the person typed, or the redacted text. */
  title: string
  /** The template of the document; see fillTemplate. Without it no document is made. */
  template?: string | undefined
  /** Whether to make a `.session/`. False for a type that keeps no record. */
  session?: boolean
  /** Writes further files into the new folder, before any other process sees it. */
  fill?: (folder: string, id: string) => void
  /** The numbers of conversations of that day that are only in another branch or worktree. */
  taken?: readonly number[]
  /**
   * A folder outside the work tree in which the conversation is made. Without it, git would see the files of a
   * half-made conversation, for example after a kill.
   */
  making?: string
}

/**
 * Makes `<folder>/<date>/<NNN>-<type>-<slug>/` with its document `<type>.md` and an empty `.session/`. All types of a
 * day share one series of numbers. Two processes at the same moment get different numbers. The folder appears as a
 * whole or not at all. The returned `path` is relative to the root, with forward slashes.
 */
export function createConversationFolder(conversation: NewConversation): { id: string; path: string } {
  const { root, folder, date, type, title } = conversation
  checkTypeName(type)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date))
    throw new CortextError('usage', `${date} is not a date like 2026-11-21`)
  const day = join(root, folder, date)
  ensureFolder(root, day)
  const { number, reserved } = reserveNumber(day, conversation.taken ?? [])
  const made = conversation.making === undefined ? reserved : mkdtempSync(join(conversation.making, number))
  try {
    const id = `${number}-${type}-${slugOf(title)}`
    fillFolder(made, id, conversation)
    conversation.fill?.(made, id)
    syncFolder(made)
    moveIntoPlace(made, reserved, join(day, id))
    syncFolder(day)
    return { id, path: `${folder}/${date}/${id}` }
  } catch (error) {
    throw fileError(error, day, 'write')
  } finally {
    for (const folder of [made, reserved]) rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Moves the finished folder `made` to `target` in one step. If `made` is on another disk, its files are first copied
 * into `reserved`.
 */
function moveIntoPlace(made: string, reserved: string, target: string): void {
  // `mkdtemp` makes a folder that only this user can read.
  if (made !== reserved) chmodSync(made, statSync(reserved).mode & 0o777)
  try {
    renameSync(made, target)
  } catch (error) {
    if (errnoOf(error) !== 'EXDEV') throw error
    cpSync(made, reserved, { recursive: true })
    renameSync(reserved, target)
  }
}

/**
 * The folders that processes have reserved for new conversations of a day, relative to the root. Some may be from
 * killed processes.
 */
export function unfinishedOn(root: string, day: string): string[] {
  return namesIn(join(root, day))
    .filter((name) => UNFINISHED.test(name))
    .map((name) => `${day}/${name}`)
    .filter((path) => namesIn(join(root, path)).every((name) => name === '.session' || name.endsWith('.md')))
}

/**
 * Like `unfinishedOn`, but for all days. Only folders that were last changed before the time `before` (milliseconds
 * since 1970).
 */
export function unfinishedIn(root: string, folder: string, before: number): string[] {
  return namesIn(join(root, folder))
    .filter((name) => /^\d{4}-\d{2}-\d{2}$/.test(name))
    .flatMap((date) => unfinishedOn(root, `${folder}/${date}`))
    .filter((path) => lstatSync(join(root, path)).mtimeMs < before)
}

const UNFINISHED = /^\.\d{3,6}$/

/** The names in a folder; none when it is missing or is not a folder but, for example, a link. */
function namesIn(folder: string): string[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder) : []
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    return []
  }
}

/**
 * Removes a conversation's folder with everything in it, and the folder of its day if that is now empty. Throws
 * `unwritable` and `unsafe-path`.
 */
export function removeConversationFolder(root: string, path: string): void {
  removeInside(root, path, { recursive: true })
  if (path.includes('/')) removeEmptyInside(root, dirname(path))
}

/** Gives a conversation's folder another path. Throws `unwritable` and `unsafe-path`. */
export function moveConversationFolder(root: string, from: string, to: string): void {
  const [before, after] = [pathInside(root, from), pathInside(root, to)]
  ensureFolder(root, dirname(after))
  accessFile(before, 'write', () => renameSync(before, after))
  removeEmptyInside(root, dirname(from))
}

/**
 * The path of a conversation's document, relative to the root. `type` comes from session.json, which a stranger may
 * have written. If it cannot be the name of a type, the type in the folder's name is used.
 */
export function documentPath(path: string, type: string): string {
  const typeName = basename(path).split('-')[1] ?? ''
  return `${path}/${[type, typeName].find(isTypeName) ?? 'conversation'}.md`
}

/**
 * Copies the document of a conversation, if it has one, into the folder of another. Throws `unwritable` and
 * `unsafe-path`.
 */
export function copyDocument(from: string, to: string, type: string): void {
  const path = basename(documentPath(from, type))
  copyInside({ root: from, path }, { root: to, path })
}

/** The text of a conversation's document; undefined when there is none. Throws `unreadable` and `unsafe-path`. */
export function readDocument(root: string, path: string, type: string): string | undefined {
  return readInside(root, documentPath(path, type))
}

/** Replaces the document of a conversation. Throws `disk-full`, `unwritable` and `unsafe-path`. */
export function writeDocument(root: string, path: string, type: string, text: string): void {
  writeInside(root, documentPath(path, type), text)
}

/** Writes another version of the document next to it, under a name with its hash. Throws what writeDocument throws. */
export function keepNextToDocument(root: string, path: string, type: string, text: string): void {
  const name = documentPath(path, type).replace(/\.md$/, `-${sha256(text).slice(0, 8)}.md`)
  writeInside(root, name, text)
}

/**
 * Reserves the next number of a day by making the hidden folder `.<NNN>`; only one process can make it. Then the
 * conversations are listed again: another process may have had the same hidden folder just before, and have made its
 * conversation. If a killed process has left a hidden folder, its number is skipped until the folder is removed
 * (unfinishedOn).
 */
function reserveNumber(day: string, taken: readonly number[]): { number: string; reserved: string } {
  const last = [...numbersIn(day), ...taken].reduce((max, number) => Math.max(max, number), 0)
  for (let candidate = last + 1; ; candidate++) {
    const number = String(candidate).padStart(3, '0')
    const reserved = join(day, `.${number}`)
    if (!makeExclusive(reserved)) continue
    if (!numbersIn(day).includes(candidate)) return { number, reserved }
    // The process that has made a conversation with this number may remove this folder too, because it has the same
    // path.
    rmSync(reserved, { recursive: true, force: true })
  }
}

function numbersIn(day: string): number[] {
  return readdirSync(day).flatMap((name) => {
    const digits = /^(\d{1,6})-/.exec(name)?.[1]
    return digits === undefined ? [] : [Number.parseInt(digits, 10)]
  })
}

function makeExclusive(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false
    throw fileError(error, folder, 'write')
  }
}

function fillFolder(folder: string, id: string, conversation: NewConversation): void {
  const { template, type, date, session = true } = conversation
  const title = conversation.title.replace(/\s+/g, ' ').trim()
  if (session) mkdirSync(join(folder, '.session'))
  if (template !== undefined)
    writeFileSync(join(folder, `${type}.md`), fillTemplate(template, { title, date, id, type }))
}
