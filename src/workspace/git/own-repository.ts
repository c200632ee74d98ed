import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crypto } from '../../hash.ts'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import { makeFolders } from '../../io/real-folder.ts'
import { removePath } from '../../io/remove.ts'
import { literal, records } from './index.ts'
import { withoutConversation } from './rewrite-history.ts'
import { gitNow, type WorkTree } from './run.ts'

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

/** What a commit makes of a path: a file with these bytes, or nothing. */
export type OwnChange = { path: string; bytes: Buffer | undefined }

const BRANCH = 'refs/heads/main'

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
  if (existsSync(join(root, 'HEAD'))) return repository
  if (!make) return undefined
  init(repository)
  return repository
}

function init(repository: OwnRepository): void {
  makeFolders(repository.root, 0o700)
  gitNow(repository, ['init', '--quiet', '--bare', '--template='])
  // Git before 2.28 has no option for the name of the branch.
  gitNow(repository, ['symbolic-ref', 'HEAD', BRANCH])
}

/** The files at and below these paths in the last commit; undefined before the first commit. */
export function filesOf(repository: OwnRepository, paths: readonly string[]): OwnFile[] | undefined {
  if (!hasCommit(repository)) return undefined
  const output = gitNow(repository, ['ls-tree', '-r', '-z', BRANCH, '--', ...paths]).toString('utf8')
  return records(output).flatMap((record) => {
    const [, blob, path] = /^100644 blob (\w+)\t(.+)$/s.exec(record) ?? []
    return path === undefined ? [] : [{ path, blob: blob! }]
  })
}

/** Whether there is a commit. The repository has one reference, in a file of its own or packed. */
export function hasCommit({ root }: OwnRepository): boolean {
  return existsSync(join(root, BRANCH)) || existsSync(join(root, 'packed-refs'))
}

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
  return gitNow(repository, ['cat-file', '--batch-check'], `${blob}\n`).toString('utf8').includes(' blob ')
}

/** When the last commit was made that changed a path, in seconds since 1970. */
export function lastChange(repository: OwnRepository, path: string): number {
  return Number(
    gitNow(repository, ['log', '-1', '--format=%ct', BRANCH, '--', literal(path)]).toString('utf8'),
  )
}

/** Commits changes on top of the last commit. `who` is `Name <mail> seconds zone`. The objects are on the disk then. */
export function commitOwn(
  repository: OwnRepository,
  {
    changes,
    message,
    who,
    isFirst,
  }: { changes: readonly OwnChange[]; message: string; who: string; isFirst: boolean },
): void {
  const lines: (string | Buffer)[] = [
    `feature done\ncommit ${BRANCH}\ncommitter ${who}\n`,
    ...data(Buffer.from(message)),
    isFirst ? '' : `from ${BRANCH}^0\n`,
    ...changes.flatMap(({ path, bytes }) =>
      bytes === undefined ? [`D ${quoted(path)}\n`] : [`M 100644 inline ${quoted(path)}\n`, ...data(bytes)],
    ),
    'done\n',
  ]
  gitNow(
    repository,
    ['-c', 'core.fsync=committed,reference', ...AS_PACK, 'fast-import', '--quiet'],
    Buffer.concat(lines.map((line) => (typeof line === 'string' ? Buffer.from(line) : line))),
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

/** Each commit makes a pack: one file to sync, where single objects would be eight or more. */
const AS_PACK = ['-c', 'fastimport.unpackLimit=1']

/** Joins the packs when there are many, so that the work of all of them together grows with the history. */
function joinPacks(repository: OwnRepository): void {
  const packs = readdirSync(join(repository.root, 'objects', 'pack')).filter((name) => name.endsWith('.pack'))
  if (packs.length > MANY_PACKS) gitNow(repository, ['repack', '--geometric=2', '-d', '--quiet'])
}

const MANY_PACKS = 20

/**
 * Takes the conversation at these paths out of every commit, also where it has had other paths: its files, and the
 * messages of the commits that are about it. After it no object, pack or reference has them. The repository is made anew
 * beside the old one, and takes its place when it is whole. After a kill, `openOwn` leaves one of the two.
 */
export function eraseOwn(repository: OwnRepository, paths: readonly string[]): void {
  if (!hasCommit(repository)) return
  const { root, environment } = repository
  const { next, before } = swapOf(root)
  const fresh: OwnRepository = { root: next, environment, isBare: true }
  const exported = gitNow(repository, ['fast-export', '--no-data', BRANCH])
  const left = withoutConversation(exported, paths)
  if (left === undefined) return
  init(fresh)
  const info = join(next, 'objects', 'info')
  makeFolders(info, 0o700)
  writeFileSync(join(info, 'alternates'), `${join(root, 'objects')}\n`)
  gitNow(fresh, ['fast-import', '--quiet'], left)
  // Without `-l`, the pack has the objects of the alternate too, as far as a commit needs them.
  if (hasCommit(fresh)) gitNow(fresh, ['repack', '-a', '-d', '--quiet'])
  removePath(join(info, 'alternates'))
  writeFileAtomic(join(next, READY), '', { mode: 0o600 })
  renameSync(root, before)
  renameSync(next, root)
  removePath(before)
}

const READY = 'cortext-ready'

function swapOf(root: string): { next: string; before: string } {
  return { next: `${root}~next`, before: `${root}~before` }
}
