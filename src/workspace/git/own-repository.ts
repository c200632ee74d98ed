import { existsSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crypto } from '../../hash.ts'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import { listFilesBelow } from '../../io/list-names.ts'
import { makeFolders } from '../../io/real-folder.ts'
import { readText } from '../../io/regular-file.ts'
import { removePath } from '../../io/remove.ts'
import { literal, records } from './index.ts'
import { ALL_CHANGES, filesWithText, namesListed } from './own-settings.ts'
import {
  type Concerned,
  withEarlierFolders,
  withOtherContents,
  withoutConversation,
} from './rewrite-history.ts'
import { gitNow, type WorkTree } from './run-git.ts'

/**
 * A bare git repository that only this program writes, with one branch and without a work tree or an index: commits are
 * made from bytes, so no hook, filter or setting of the person's has a say in them. `root` is its folder. The caller
 * holds a lock, and has called `openOwn` under it.
 */
export type OwnRepository = WorkTree & { readonly isBare: true }

/** A file of the last commit. */
export interface OwnFile {
  path: string
  /** The id of its content, as git names it. */
  blob: string
}

/** A file as a listing has it, with its size in bytes. */
export type ListedFile = OwnFile & { size: number }

/** What a commit makes of a path: a file with these bytes or with a content that the repository has, or nothing. */
export type OwnChange = { path: string; bytes: Buffer | undefined } | OwnFile

/** The history of this machine. Other references have the histories of a place; see place.ts. */
export const BRANCH = 'refs/heads/main'

/**
 * The repository in a folder, or undefined if there is none and it is not to be made. Finishes what a killed `eraseOwn`
 * has left. Rejects with git's error message.
 */
export function openOwn(repository: OwnRepository, { make = false } = {}): OwnRepository | undefined {
  const { root } = repository
  const { next, before } = swapOf(root)
  if (existsSync(next) || existsSync(before)) {
    if (!existsSync(root) && existsSync(join(next, READY))) renameSync(next, root)
    for (const path of [next, before]) removePath(path)
  }
  if (existsSync(join(root, 'HEAD'))) {
    clearLocks(root)
    return repository
  }
  if (!make) return undefined
  init(repository)
  return repository
}

/**
 * Removes the locks that a killed git has left. A git holds them for a moment only. One that still works
 * although its program was killed is given some seconds.
 */
function clearLocks(root: string): void {
  const below = listFilesBelow(join(root, 'refs')).map((name) => join('refs', name))
  const names = ['HEAD.lock', 'config.lock', 'packed-refs.lock', join('objects', 'info', 'commit-graph.lock')]
  for (const name of [...names, ...below.filter((path) => path.endsWith('.lock'))]) {
    const path = join(root, name)
    const made = () => statSync(path, { throwIfNoEntry: false })?.mtimeMs
    const deadline = Date.now() + LEFT_AFTER_MS
    for (
      let at = made();
      at !== undefined && Date.now() < Math.min(at + LEFT_AFTER_MS, deadline);
      at = made()
    )
      Atomics.wait(SLEEPER, 0, 0, 50)
    removePath(path)
  }
}

const LEFT_AFTER_MS = 5_000
const SLEEPER = new Int32Array(new SharedArrayBuffer(4))

function init(repository: OwnRepository): void {
  makeFolders(repository.root, 0o700)
  gitNow(repository, ['init', '--quiet', '--bare', '--template='])
  // Git before 2.28 has no option for the name of the branch.
  gitNow(repository, ['symbolic-ref', 'HEAD', BRANCH])
}

/** The files at and below these paths, or all, in the last commit; undefined before the first commit. */
export function filesOf(
  repository: OwnRepository,
  paths: readonly string[] | 'all',
  ref = BRANCH,
): ListedFile[] | undefined {
  if (commitAt(repository, ref) === undefined) return undefined
  // For git, no path is all of them.
  if (paths.length === 0) return []
  const below = paths === 'all' ? [] : ['--', ...paths]
  const output = gitNow(repository, ['ls-tree', '-r', '-l', '-z', ref, ...below]).toString('utf8')
  return records(output).flatMap((record) => {
    const [, blob, size, path] = /^100644 blob (\w+) +(\d+)\t(.+)$/s.exec(record) ?? []
    return path === undefined ? [] : [{ path, blob: blob!, size: Number(size) }]
  })
}

/**
 * The id of a reference's commit; undefined if there is none. A reference is in a file of its own, or packed. It may also
 * be the id of a commit that is there.
 */
export function commitAt({ root }: OwnRepository, ref: string): string | undefined {
  if (/^[0-9a-f]{40}$/.test(ref)) return ref
  const own = readText(join(root, ref))?.trim()
  if (own) return own
  const packed = readText(join(root, 'packed-refs')) ?? ''
  return packed
    .split('\n')
    .find((line) => line.endsWith(` ${ref}`))
    ?.split(' ')[0]
}

/**
 * The commits before those in which a file whose path ends in `ending` was changed or removed, after the commit of one
 * reference and up to that of another one; the last ones first.
 */
export function commitsBeforeChanges(
  repository: OwnRepository,
  from: string,
  to: string,
  ending: string,
): string[] {
  if ([from, to].some((ref) => commitAt(repository, ref) === undefined)) return []
  const which = ['--full-history', '--no-renames', '--diff-filter=DMT', `${from}..${to}`]
  const words = ['log', '--format=%P', ...which, '--', `:(glob)**/${ending}`]
  const output = gitNow(repository, words).toString('utf8')
  return output
    .split('\n')
    .flatMap((parents) => parents.split(' ', 1))
    .filter(Boolean)
}

/** The files whose path ends in `ending` and of which a version in the history of a reference contains this text. */
export function filesThatHad(repository: OwnRepository, ref: string, ending: string, text: string): string[] {
  if (commitAt(repository, ref) === undefined) return []
  const words = filesWithText(text, ref, [`:(glob)**/${ending}`])
  return namesListed(gitNow(repository, words).toString('utf8'))
}

/** All versions of files at and below these paths in the history of a reference, once each. */
export function versionsBelow(
  repository: OwnRepository,
  ref: string,
  paths: readonly string[],
): { path: string; blob: string }[] {
  if (paths.length === 0 || commitAt(repository, ref) === undefined) return []
  const where = paths.map((path) => `:(literal)${path}`)
  const words = [...ALL_CHANGES, '--raw', '--no-abbrev', ref, '--', ...where]
  const parts = gitNow(repository, words).toString('utf8').split('\0')
  const versions = new Map<string, { path: string; blob: string }>()
  for (const [at, part] of parts.entries()) {
    // `:100644 100644 <before> <after> M`, and the path in the next part.
    const [, blob] = /:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) [AM]$/.exec(part) ?? []
    if (blob !== undefined) versions.set(blob, { path: parts[at + 1]!, blob })
  }
  return [...versions.values()]
}

/** The same files with the sizes of their contents. What the repository does not have is left out. */
export function withSizes(
  repository: OwnRepository,
  files: readonly { path: string; blob: string }[],
): ListedFile[] {
  if (files.length === 0) return []
  const asked = files.map(({ blob }) => `${blob}\n`).join('')
  const answers = gitNow(repository, ['cat-file', '--batch-check=%(objecttype) %(objectsize)'], asked)
  const lines = answers.toString('latin1').split('\n')
  return files.flatMap((file, at) => {
    const [, size] = /^blob (\d+)$/.exec(lines[at]!) ?? []
    return size === undefined ? [] : [{ ...file, size: Number(size) }]
  })
}

/** Reads files in their order, some of them at a time, so that memory does not grow with their number. */
export function* eachContent(
  repository: OwnRepository,
  files: readonly ListedFile[],
): Generator<[ListedFile, Buffer]> {
  for (const some of someAtATime(files, ({ size }) => size))
    for (const [index, bytes] of contentsOf(repository, some).entries()) yield [some[index]!, bytes]
}

/** Divides a list into parts of some megabytes, or of one member that has more. */
export function* someAtATime<T>(all: readonly T[], bytesOf: (one: T) => number): Generator<T[]> {
  let [some, bytes]: [T[], number] = [[], 0]
  for (const one of all) {
    if (some.length > 0 && bytes + bytesOf(one) > BYTES_AT_A_TIME) {
      yield some
      some = []
      bytes = 0
    }
    some.push(one)
    bytes += bytesOf(one)
  }
  if (some.length > 0) yield some
}

const BYTES_AT_A_TIME = 32 * 1024 * 1024

/** The contents of files, in their order. */
export function contentsOf(repository: OwnRepository, files: readonly OwnFile[]): Buffer[] {
  if (files.length === 0) return []
  const output = gitNow(repository, ['cat-file', '--batch'], files.map(({ blob }) => `${blob}\n`).join(''))
  let at = 0
  return files.map(() => {
    const begin = output.indexOf('\n', at) + 1
    const size = Number(output.toString('latin1', at, begin).split(' ')[2])
    at = begin + size + 1
    return output.subarray(begin, begin + size)
  })
}

/** The id that git gives to a content. */
export function blobOf(bytes: Buffer): string {
  return crypto().createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

/** Whether some commit has, or had, a file with this content. */
export function hasBlob(repository: OwnRepository, blob: string): boolean {
  const isThere = gitNow(repository, ['cat-file', '--batch-check'], `${blob}\n`)
    .toString('utf8')
    .includes(' blob ')
  // A commit that was killed leaves contents that no commit has.
  return (
    isThere && gitNow(repository, ['log', '--all', '-1', '--format=%H', `--find-object=${blob}`]).length > 0
  )
}

/** When the last commit was made that changed a path, in seconds since 1970. */
export function lastChange(repository: OwnRepository, path: string): number {
  return Number(
    gitNow(repository, ['log', '-1', '--format=%ct', BRANCH, '--', literal(path)]).toString('utf8'),
  )
}

export interface OwnCommit {
  changes: readonly OwnChange[]
  message: string
  /** `Name <mail> seconds zone`. */
  who: string
}

/** Makes commits on top of the last one. Their objects are on the disk then. */
export function commitOwn(repository: OwnRepository, commits: readonly OwnCommit[], ref = BRANCH): void {
  const isFirst = commitAt(repository, ref) === undefined
  const lines = commits.flatMap(({ changes, message, who }, index): (string | Buffer)[] => [
    `commit ${ref}\ncommitter ${who}\n`,
    ...data(Buffer.from(message)),
    isFirst || index > 0 ? '' : `from ${ref}^0\n`,
    ...changes.flatMap((change) => {
      const path = quoted(change.path)
      if ('blob' in change) return [`M 100644 ${change.blob} ${path}\n`]
      const { bytes } = change
      return bytes === undefined ? [`D ${path}\n`] : [`M 100644 inline ${path}\n`, ...data(bytes)]
    }),
  ])
  gitNow(
    repository,
    [...DURABLE, ...AS_PACK, 'fast-import', '--quiet'],
    Buffer.concat(
      ['feature done\n', ...lines, 'done\n'].map((line) =>
        typeof line === 'string' ? Buffer.from(line) : line,
      ),
    ),
  )
  joinPacks(repository)
}

function data(bytes: Buffer): (string | Buffer)[] {
  return [`data ${bytes.length}\n`, bytes, '\n']
}

/** A path as fast-import reads it; see git-fast-import(1). */
function quoted(path: string): string {
  return `"${path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`
}

const DURABLE = ['-c', 'core.fsync=committed,reference']

/** Each commit makes a pack: one file to sync, where single objects would be eight or more. */
const AS_PACK = ['-c', 'fastimport.unpackLimit=0']

/** Joins the packs when there are many, so that the work of all of them together grows with the history. */
function joinPacks(repository: OwnRepository): void {
  const packs = readdirSync(join(repository.root, 'objects', 'pack')).filter((name) => name.endsWith('.pack'))
  if (packs.length > MANY_PACKS) gitNow(repository, ['repack', '--geometric=2', '-d', '--quiet'])
}

const MANY_PACKS = 20

/**
 * Takes a conversation out of every commit, also where it has had other paths: its files, and the messages of the commits
 * that are about it. After it no object, pack or reference has them, except for the references at and below `spared`,
 * which stay as they are.
 */
export function eraseOwn(
  repository: OwnRepository,
  conversation: Concerned,
  spared: readonly string[] = [],
): void {
  // A commit that was killed leaves objects that no commit needs. So the repository is made anew also if no commit has
  // the conversation.
  let everywhere: Concerned | undefined
  makeAnew(repository, { always: true }, (exported, { ref, own }) => {
    everywhere ??= withEarlierFolders(own, conversation)
    return withoutConversation(exported, isSpared(ref, spared) ? NONE : everywhere)
  })
}

function isSpared(ref: string, spared: readonly string[]): boolean {
  return spared.some((one) => ref === one || ref.startsWith(`${one}/`))
}

/** What `changeOwn` changes. */
export interface Changes {
  /** The new bytes of a file; undefined if they stay. */
  content: (path: string, bytes: Buffer) => Buffer | undefined
  message: (message: string) => string
  /** Also what a killed commit has left, which no reference has. */
  always?: boolean
  /** References at and below these stay as they are. */
  spared?: readonly string[]
  /** Is called when all is made anew, before it takes the place of what is there. */
  onChange?: (() => void) | undefined
}

/**
 * Changes all contents that the files of a conversation have ever had, and the messages of the commits that are about
 * it. No object, pack or reference has the earlier ones after it, but for those that are spared. Returns how many
 * contents have changed. If none has, the repository stays as it is, unless `always`.
 */
export function changeOwn(
  repository: OwnRepository,
  conversation: Concerned,
  { content, message, always = false, spared = [], onChange }: Changes,
): number {
  const blobs = new Map<string, string>()
  let everywhere: Concerned | undefined
  makeAnew(repository, { always, onChange }, (exported, { fresh, ref, own }) => {
    const newBlob = (path: string, blob: string) => {
      // One after another: all versions of a long conversation would not fit into the memory.
      const after = content(path, contentsOf(repository, [{ path, blob }])[0]!)
      if (after === undefined) return blob
      return gitNow(fresh, ['hash-object', '-w', '--stdin'], after).toString('latin1').trim()
    }
    const once = (path: string, blob: string) => {
      if (!blobs.has(blob)) blobs.set(blob, newBlob(path, blob))
      return blobs.get(blob)!
    }
    everywhere ??= withEarlierFolders(own, conversation)
    return withOtherContents(exported, isSpared(ref, spared) ? NONE : everywhere, once, message)
  })
  return [...blobs].filter(([before, after]) => before !== after).length
}

/**
 * Makes the repository anew beside the old one, with the histories that `newHistory` makes of the present ones: of each
 * reference by itself. `own` is that of `BRANCH`, which knows the earlier folders of a conversation best. The new
 * repository takes its place when it is whole. After a kill, `openOwn` leaves one of the two. If no history changes, the
 * repository stays as it is, unless `always`.
 */
function makeAnew(
  repository: OwnRepository,
  { always, onChange }: Pick<Changes, 'always' | 'onChange'>,
  newHistory: (exported: Buffer, about: { fresh: OwnRepository; ref: string; own: Buffer }) => Buffer,
): void {
  const { root, environment } = repository
  const { next, before } = swapOf(root)
  const fresh: OwnRepository = { root: next, environment, isBare: true }
  const listed = gitNow(repository, ['for-each-ref', '--format=%(refname)']).toString('utf8')
  const refs = listed.split('\n').filter(Boolean)
  // A person may have merged in a clone of a place. Of two histories that were merged, the first one has all in the end.
  const exported = refs.map((ref) => gitNow(repository, ['fast-export', '--no-data', '--first-parent', ref]))
  init(fresh)
  const info = join(next, 'objects', 'info')
  makeFolders(info, 0o700)
  writeFileSync(join(info, 'alternates'), `${join(root, 'objects')}\n`)
  const own = exported[refs.indexOf(BRANCH)] ?? Buffer.of()
  const left = exported.map((history, at) => newHistory(history, { fresh, ref: refs[at]!, own }))
  if (!always && left.every((history, at) => history.equals(withoutConversation(exported[at]!, NONE)))) {
    removePath(next)
    return
  }
  gitNow(fresh, [...DURABLE, 'fast-import', '--quiet'], Buffer.concat(left))
  // Without `-l`, the pack has the objects of the alternate too, as far as a commit needs them.
  gitNow(fresh, ['repack', '-a', '-d', '--quiet'])
  removePath(join(info, 'alternates'))
  onChange?.()
  writeFileAtomic(join(next, READY), '', { mode: 0o600 })
  renameSync(root, before)
  renameSync(next, root)
  removePath(before)
}

const READY = 'cortext-ready'
const NONE: Concerned = { paths: [], trailerOf: () => '', othersAmong: () => new Set() }

function swapOf(root: string): { next: string; before: string } {
  return { next: `${root}~next`, before: `${root}~before` }
}
