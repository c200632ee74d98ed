import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CortextError, withDefault } from '../../errors.ts'
import { sha256 } from '../../hash.ts'
import { accessFile } from '../../io/file-error.ts'
import { makeFolders, realFolder } from '../../io/real-folder.ts'
import { kindOf, readText, statsOf, unsafePath } from '../../io/regular-file.ts'
import { removePath } from '../../io/remove.ts'
import { oneLine } from '../../text/line.ts'
import { paste } from '../../text/paste.ts'
import { slugOf } from '../slug.ts'
import { checkArrived } from './arrived.ts'
import { commitAt, type OwnRepository } from './own-repository.ts'
import { FETCHES_NOTHING } from './own-settings.ts'
import { gitBytes, gitNow } from './run-git.ts'

/**
 * A place where the conversations of a workspace are kept too: a git repository that the person has named, with a branch
 * for each project. Its branch has the files of a shared workspace. Only `fetch`, `push` and `ls-remote` reach it; git
 * uses the credentials that it has, and asks nobody.
 */
export interface Place {
  /** An address for git: a URL, `host:path`, or an absolute path. */
  address: string
  branch: string
}

/** Below it are all references of a sync. */
export const OURS = 'refs/cortext'
/** What was joined last: the place and this machine had it both. */
export const JOINED = 'refs/cortext/joined'
/**
 * Present if something was not joined, as what is kept here: what the place had then. `JOINED` has of it what this machine
 * had.
 */
export const APART = 'refs/cortext/apart'
/** What the place has, as it was fetched last. */
export const FETCHED = 'refs/cortext/fetched'
/** Below it are the heads of a place that has several, while they are joined. */
export const HEADS = 'refs/cortext/heads'
/** What is sent next, on top of what was fetched. */
export const NEXT = 'refs/cortext/next'
/** What this machine and the place had both, before each of them went on. */
export const BASE = 'refs/cortext/base'

/** The message of a commit that is sent, with a mark of its own: of two in one second, each can be told. */
export function sentMessage(what: string): string {
  return `[sync] ${what}\n\nsync-id: ${randomUUID()}`
}

/** The branches of a place, with the ids of their last commits. Rejects with git's error message. */
export async function branchesAt(
  repository: OwnRepository,
  address: string,
  timeoutMs = ANSWER_MS,
): Promise<Map<string, string>> {
  if (isFolder(address)) checkOrdinary(folderOf(address))
  const words = ['ls-remote', '--heads', ...far(address, 'upload-pack'), '--', address]
  const output = await talk(repository, address, words, timeoutMs)
  return new Map(
    output.split('\n').flatMap((line): [string, string][] => {
      const [, commit, branch] = /^([0-9a-f]{40})\trefs\/heads\/(.+)$/.exec(line) ?? []
      return branch === undefined ? [] : [[branch, commit!]]
    }),
  )
}

/** Whether an address names a folder that is empty or not there, on a disk that is there. */
export function isNewFolder(address: string): boolean {
  if (!isAbsolute(address) || !existsSync(dirname(address))) return false
  return !existsSync(address) || (statSync(address).isDirectory() && readdirSync(address).length === 0)
}

/** Makes a bare repository in a folder that is there and empty, or that is not there. */
export function makePlace({ environment }: OwnRepository, folder: string): void {
  gitNow({ root: resolve(folder, '..'), environment }, [
    'init',
    '--quiet',
    '--bare',
    '--template=',
    '--',
    folder,
  ])
}

/**
 * Brings what the branch of a place has into the repository, as `FETCHED`. Rejects with git's error message, and with
 * `refused` as `checkArrived`, for which `largest` is: then no reference has it.
 */
export async function fetchPlace(
  repository: OwnRepository,
  { address, branch }: Place,
  largest?: number,
): Promise<void> {
  const how = ['--quiet', '--no-tags', ...far(address, 'upload-pack')]
  await talk(repository, address, ['fetch', ...how, '--', address, `refs/heads/${branch}`])
  const [commit] = readText(join(repository.root, 'FETCH_HEAD'))!.split('\t') as [string]
  checkArrived(repository, commit, largest)
  setRef(repository, FETCHED, commit)
}

/** Brings the last commits of some branches, without large files where the place can leave them out. */
export async function fetchBeginning(
  repository: OwnRepository,
  address: string,
  branches: readonly string[],
): Promise<void> {
  const specs = branches.map((branch) => `+refs/heads/${branch}:refs/heads/${branch}`)
  // Git misses nothing where a remote is known to have the rest.
  for (const [key, value] of [
    ['core.repositoryFormatVersion', '1'],
    ['extensions.partialClone', 'place'],
    ['remote.place.url', address],
    ['remote.place.promisor', 'true'],
  ] as const)
    gitNow(repository, ['config', key, value])
  const how = ['--quiet', '--no-tags', '--no-write-fetch-head', '--depth=1', '--filter=blob:limit=16k']
  await talk(repository, address, ['fetch', ...how, ...far(address, 'upload-pack'), '--', 'place', ...specs])
}

/**
 * Sends `NEXT`. `expected` is the last commit that the branch may have; undefined: it must not be there. Returns false if
 * it has another one, because another machine has sent meanwhile. Rejects with git's error message.
 */
export async function sendNext(
  repository: OwnRepository,
  { address, branch }: Place,
  expected: string | undefined,
): Promise<boolean> {
  const lease = `--force-with-lease=refs/heads/${branch}:${expected ?? ''}`
  const how = ['--quiet', '--no-verify', lease, ...far(address, 'receive-pack')]
  try {
    await talk(repository, address, ['push', ...how, '--', address, `${NEXT}:refs/heads/${branch}`])
    return true
  } catch (error) {
    // Git says why in the person's language.
    if ((await branchesAt(repository, address)).get(branch) === expected) throw error
    return false
  }
}

/**
 * Removes what no branch of a place has any more, such as a deleted conversation. Only where the place is a folder: a
 * server does it in its own time.
 */
export function tidyPlace({ environment }: OwnRepository, { address, branch }: Place): void {
  if (!isFolder(address)) return
  const place: OwnRepository = { root: repositoryIn(folderOf(address)), environment, isBare: true }
  const settings = gitNow(place, ['config', '--list', '--name-only']).toString('utf8')
  // Git runs this program, and a setting of ours adds one to it.
  if (/^gc\.recentobjectshook$/im.test(settings))
    throw new CortextError('refused', `${address} names a program in its setting gc.recentObjectsHook`, {
      fix: paste`git --git-dir ${place.root} config --unset-all gc.recentObjectsHook`,
    })
  // Where a person has made the repository, git may remember what the branch had.
  const ref = `refs/heads/${branch}`
  if (existsSync(join(place.root, 'logs', ref))) gitNow(place, ['reflog', 'expire', '--expire=now', ref])
  removeUnused(place)
}

/**
 * Removes what no branch has any more. Another cleaning does not count: git takes a killed one for a running one as
 * long as anything has its process id.
 */
export function removeUnused(repository: OwnRepository): void {
  gitNow(repository, ['gc', '--force', '--quiet', '--prune=now'])
}

/**
 * Joins two versions of a text that were made from `base`, as git does; undefined if both have changed the same lines.
 */
export function mergeTexts(
  repository: OwnRepository,
  base: Buffer,
  ours: Buffer,
  theirs: Buffer,
): Buffer | undefined {
  const folder = mergingFolder(repository)
  makeFolders(folder, 0o700)
  const names = ['ours', 'base', 'theirs']
  try {
    for (const [at, bytes] of [ours, base, theirs].entries()) writeFileSync(join(folder, names[at]!), bytes)
    return gitNow(repository, ['merge-file', '-p', '--quiet', ...names.map((name) => join(folder, name))])
  } catch (error) {
    if (error instanceof CortextError) return undefined
    throw error
  } finally {
    removePath(folder)
  }
}

function mergingFolder({ root }: OwnRepository): string {
  return join(dirname(root), 'merging')
}

/** Removes the texts that a killed `mergeTexts` has left. Throws what files throw. */
export function removeMerging(repository: OwnRepository): void {
  removePath(mergingFolder(repository))
}

/** Whether the history of a commit has another one. False for what the repository does not have. */
export function isAncestor(repository: OwnRepository, older: string, newer: string): boolean {
  try {
    gitNow(repository, ['merge-base', '--is-ancestor', older, newer])
    return true
  } catch (error) {
    if (error instanceof CortextError) return false
    throw error
  }
}

/** The last commit that the history of a reference has in common with one of the others. */
export function commonCommit(
  repository: OwnRepository,
  ref: string,
  others: readonly string[],
): string | undefined {
  const there = [ref, ...others].filter((one) => commitAt(repository, one) !== undefined)
  if (there[0] !== ref || there.length === 1) return undefined
  return (
    withDefault('', () =>
      gitNow(repository, ['merge-base', ...there])
        .toString('utf8')
        .trim(),
    ) || undefined
  )
}

/** Removes references, and all below them. */
export function removeRefs(repository: OwnRepository, ...names: string[]): void {
  const { root } = repository
  const packed = readText(join(root, 'packed-refs')) ?? ''
  const isThere = (name: string) => existsSync(join(root, name)) || packed.includes(` ${name}`)
  const some = names.filter(isThere)
  if (some.length === 0) return
  const found = gitNow(repository, ['for-each-ref', '--format=delete %(refname)', ...some])
  gitNow(repository, ['update-ref', '--stdin'], found)
}

/** Lets a reference name the same commit as another one, or removes it. */
export function setRef(repository: OwnRepository, ref: string, to: string | undefined): void {
  if (to !== undefined) gitNow(repository, ['update-ref', ref, to])
  else if (commitAt(repository, ref) !== undefined) gitNow(repository, ['update-ref', '-d', ref])
}

/**
 * For a place in a folder, the far side of git runs on this machine, with the settings and hooks that lie at the place.
 * They may name no further program. Elsewhere, a server decides what it runs.
 */
function far(address: string, program: 'upload-pack' | 'receive-pack'): string[] {
  if (!isFolder(address)) return []
  const settings = [
    'core.hooksPath=/dev/null',
    'core.alternateRefsCommand=:',
    'receive.autogc=false',
    'core.logAllRefUpdates=false',
    'uploadpack.allowFilter=true',
    // Else a push would change the files of a work tree there, with the filters of that repository.
    'receive.denyCurrentBranch=refuse',
  ]
  // Git has the shell run this.
  const variables = Object.entries(FETCHES_NOTHING).map(([name, value]) => `${name}=${value}`)
  const words = [...variables, 'git', ...settings.map((setting) => `-c ${setting}`), program]
  return [`--${program}=${words.join(' ')}`]
}

/** Throws `unsafe-path` if something in a repository is no file and no folder: git waits for ever at a named pipe. */
function checkOrdinary(folder: string): void {
  const root = repositoryIn(folder)
  if (!existsSync(root) || !statSync(root).isDirectory()) return
  const entries = accessFile(root, 'read', () => readdirSync(root, { recursive: true, withFileTypes: true }))
  for (const entry of entries) {
    if (entry.isFile() || entry.isDirectory()) continue
    const path = join(entry.parentPath, entry.name)
    const stats = statsOf(path)
    if (stats !== undefined && !stats.isFile() && !stats.isDirectory()) throw unsafePath(path, kindOf(stats))
  }
}

/**
 * The real paths of the folders of this machine in which git works at an address: that of the path, `.git` in it, and the
 * one that a file `.git` there names. They may not be there yet. None for a server.
 */
export function gitFoldersAt(address: string): string[] {
  if (!isFolder(address)) return []
  const folder = folderOf(address)
  const inside = join(folder, '.git')
  const named = existsSync(inside) && statSync(inside).isFile() ? readText(inside, 4096) : undefined
  const [, path] = /^gitdir: (.+?)\s*$/.exec(named ?? '') ?? []
  return [folder, inside, ...(path === undefined ? [] : [resolve(folder, path)])].map(realPath)
}

function realPath(folder: string): string {
  const above = dirname(folder)
  return existsSync(folder) || above === folder ? realFolder(folder) : join(realPath(above), basename(folder))
}

/** The folder of git: it is in a repository with a work tree. */
function repositoryIn(folder: string): string {
  const inside = join(folder, '.git')
  return existsSync(inside) ? inside : folder
}

function folderOf(address: string): string {
  return isAbsolute(address) ? address : fileURLToPath(address)
}

function isFolder(address: string): boolean {
  return isAbsolute(address) || /^file:/i.test(address)
}

async function talk(
  repository: OwnRepository,
  address: string,
  args: string[],
  timeoutMs = TIMEOUT_MS,
): Promise<string> {
  try {
    return (await gitBytes(repository, args, '', timeoutMs)).toString('utf8')
  } catch (error) {
    if (!(error instanceof CortextError)) throw error
    if (isFolder(address) && !existsSync(folderOf(address)))
      throw new CortextError('not-found', `${address} is not there`, {
        fix: paste`connect the disk that it is on, or correct the path; or, for a new repository there: git init --bare ${folderOf(address)}`,
        cause: error,
      })
    const what = `git could not ${args[0] === 'push' ? 'send to' : 'read'} ${oneLine(address)}`
    // Git asks for what it needs there, and may keep it.
    throw new CortextError(error.code, `${what}:\n${error.message}`, {
      fix: paste`git ls-remote ${address}`,
      cause: error,
    })
  }
}

/** A first sync may take long. */
const TIMEOUT_MS = 60 * 60_000
/** The names of branches come at once, but a disk or a server may have to wake up. */
const ANSWER_MS = 3 * 60_000

/** How a project can be recognised in another clone of it. */
export interface Project {
  name: string
  /** Addresses of its remotes on servers, in one form for https and ssh. */
  remotes: string[]
  /** Paths of its other remotes. On another machine, a path may mean another project. */
  paths: string[]
  /** Its first commits. Unknown in a shallow clone. */
  roots: string[]
}

/** The name of the branch for a project: its name, and marks by which another clone finds it. */
export function branchOf({ name, remotes, paths, roots }: Project): string {
  return [slugOf(name), markOf(remotes[0] ?? paths[0]), markOf(roots[0])].join('-')
}

/**
 * Looks for the branch of a project at a place. `same`: a remote on a server is the same, or the first commit is the
 * same and so is a path, or one side has no remote. `doubtful`: only the first commit is the same, as in a fork, or only
 * a path, in a shallow clone.
 */
export function findBranch(
  branches: Iterable<string>,
  { remotes, paths, roots }: Project,
): { same: string[]; doubtful: string[] } {
  const [ofRemotes, ofPaths, ofRoots] = [remotes, paths, roots].map((texts) => new Set(texts.map(markOf)))
  const hasRemote = remotes.length + paths.length > 0
  const found = { same: [] as string[], doubtful: [] as string[] }
  for (const branch of branches) {
    const [, remote, root] = MARKED.exec(branch) ?? []
    if (remote === undefined) continue
    const hasRoot = ofRoots!.has(root!)
    const isSame =
      ofRemotes!.has(remote) || (hasRoot && (ofPaths!.has(remote) || remote === NOTHING || !hasRemote))
    if (isSame) found.same.push(branch)
    else if (hasRoot || (roots.length === 0 && ofPaths!.has(remote))) found.doubtful.push(branch)
  }
  return found
}

/** Whether nothing but its name says which project a branch is of: a folder without git, which any folder may be like. */
export function isByName(branch: string): boolean {
  const [, remote, root] = MARKED.exec(branch) ?? []
  return remote === NOTHING && root === NOTHING
}

/** The end of the name of a project's branch. */
export const MARKED = /-([0-9a-f]{8}|0)-([0-9a-f]{8}|0)$/

const NOTHING = '0'

function markOf(text: string | undefined): string {
  return text === undefined ? NOTHING : sha256(text).slice(0, 8)
}

/** The project around a workspace. `below` is the way from its top to the workspace. */
export function projectOf(tree: Tree, top: string, below: string): Project {
  const urls = remotesOf(tree, 'url')
  const server = urls.find(isOnServer)
  const isShallow = linesFrom(tree, 'rev-parse', '--is-shallow-repository')[0] !== 'false'
  const roots = isShallow ? [] : linesFrom(tree, 'rev-list', '--max-parents=0', 'HEAD')
  const within = (text: string) => (below === '' ? text : `${text}#${below}`)
  const formsOf = (some: string[]) => some.map((url) => within(sameAddress(url, top)))
  return {
    name: [(server === undefined ? top : sameAddress(server, top)).split(/[\\/]/).at(-1)!, below].join(' '),
    remotes: formsOf(urls.filter(isOnServer)),
    paths: formsOf(urls.filter((url) => !isOnServer(url))),
    roots: roots.sort().map(within),
  }
}

/**
 * Whether an address is that of a remote of the project around `top`, also by another protocol, or where the person's
 * settings of git write it in another way.
 */
export function isRemoteOf(tree: Tree, top: string, address: string): boolean {
  const formsOf = (url: string) =>
    [url, ...linesFrom(tree, 'ls-remote', '--get-url', '--', url)].map((one) => sameAddress(one, top))
  const own = new Set(remotesOf(tree, '(push)?url').flatMap(formsOf))
  return formsOf(address).some((form) => own.has(form))
}

type Tree = { root: string; environment: OwnRepository['environment'] }

/** The addresses of the remotes of a repository under these keys. */
function remotesOf(tree: Tree, key: string): string[] {
  return linesFrom(tree, 'config', '--get-regexp', `^remote\\..*\\.${key}$`).map((line) =>
    line.slice(line.indexOf(' ') + 1),
  )
}

/** The lines that git prints; none if it fails, as where there is no repository. */
function linesFrom(tree: Tree, ...args: string[]): string[] {
  return withDefault([], () => gitNow(tree, args).toString('utf8').split('\n').filter(Boolean))
}

function isOnServer(url: string): boolean {
  return /^(?!file:)(?:[a-z+]+:\/\/|[^/\\]{2,}:)/i.test(url)
}

/** One form for the addresses of a repository: by https, ssh and `host:path`, or by a path, which may begin in `top`. */
function sameAddress(url: string, top: string): string {
  if (!isOnServer(url)) {
    const path = resolve(top, url.replace(/^file:\/\/(?:localhost(?=\/))?/i, ''))
    return withoutEnding(realFolder(path))
  }
  const plain = url.replace(/^[a-z+]+:\/\//i, '').replace(/^[^@/]*@/, '')
  return withoutEnding(plain.replace(/^([^/:]+):(?:\d+\/)?/, '$1/').replace(/\/+/g, '/')).toLowerCase()
}

function withoutEnding(address: string): string {
  return address.replace(/[\\/]?(?:\.git)?[\\/]?$/, '')
}
