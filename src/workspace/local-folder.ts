import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { CortextError } from '../errors.ts'
import { crypto, sha256 } from '../hash.ts'
import { readInside } from '../io/inside.ts'
import { moveFolder } from '../io/move-folder.ts'
import { readText } from '../io/regular-file.ts'
import type { Outside } from '../io/state-file.ts'
import { parseJson } from '../text/json.ts'
import { paste } from '../text/paste.ts'
import { addToHomeList, readHomeList, takeOffHomeList } from './home-list.ts'
import { findRefused, findRepository, type Repository, selfAndParents } from './repository.ts'

/** This file is part of the hook bundle: it uses no library. */

/**
 * Returns the local folder of a workspace, with its journals, bindings, index, locks and log. In git it is in git's
 * common directory: all worktrees share it, no `stash`, `checkout` or `clean` changes it, and no clone brings it. A
 * workspace in a sub-folder has a local folder of its own, named after its path in the repository, because two
 * workspaces may have conversations with the same path.
 *
 * Outside git it is a folder in `.workspace/local/` with a random name. A list in the person's home says which name
 * belongs to which workspace. So a local folder that a stranger has put into a workspace is not used. The first call
 * adds the workspace to the list; with `looks` nothing is written. The returned folder need not exist.
 *
 * The person may make a repository around a workspace that has a local folder. The next call moves this folder into
 * git's directory. If it cannot, or with `looks`, it returns the folder at the old place, or at the new place if there
 * is state already.
 *
 * Throws `unreadable`, `unwritable`, and `unsafe-path` if the local folder came with the repository (as an archive) and
 * contains links.
 */
export function localDir(root: string, outside: Outside, { looks = false } = {}): string {
  const repository = findRepository(root) ?? acceptedBefore(root, outside)
  if (repository?.knowsTop !== true) return join(localsOf(root), nameOf(root, outside, looks))
  const way = wayOf(repository, root)
  const local = join(repository.common, ...way)
  admit(local, way.length, outside, looks)
  const earlier = earlierPlace(root, { repository, local }, outside)
  if (earlier === undefined) return local
  if (looks) return hasState(local) ? local : earlier
  if (!moveFolder(earlier, local, (path) => keepsBothVersions(relative(earlier, path))) && !hasState(local))
    return earlier
  admit(local, way.length, outside, looks)
  return local
}

/**
 * The repository of another user around `root` that git refuses now, if it accepted it when this machine made or
 * checked the local folder there. So what is said meanwhile is in the same place when git accepts it again.
 */
function acceptedBefore(root: string, outside: Outside): Repository | undefined {
  const repository = findRefused(root)?.repository
  if (repository === undefined) return undefined
  return isAdmitted(join(repository.common, ...wayOf(repository, root)), outside) ? repository : undefined
}

function wayOf({ top }: Repository, root: string): string[] {
  const below = relative(top, root)
  if (below === '') return ['cortext']
  const name = encodeURIComponent(below)
  // No file system has longer names than 255 bytes, and a letter of Japanese becomes nine.
  return ['cortext', 'below', name.length > 255 ? sha256(below) : name]
}

const HASH = /^[0-9a-f]{64}$/

/**
 * The nearest folder at or above `folder`, in its repository, of which this machine has copies of a workspace
 * (store/machine/copies.ts). The workspace was there, or is there in another worktree.
 */
export function keptFor(folder: string, outside: Outside): string | undefined {
  const repository = findRepository(folder)
  if (repository?.knowsTop !== true) return undefined
  for (const root of selfAndParents(folder)) {
    const local = join(repository.common, ...wayOf(repository, root))
    if (existsSync(join(local, 'workspace')) && isAdmitted(local, outside)) return root
    if (root === repository.top) break
  }
  return undefined
}

/**
 * If the old and the new place both have a certain journal or binding file, both files stay, because neither shows
 * which one is right.
 */
function keepsBothVersions(path: string): boolean {
  return path.split(sep).some((part) => part === 'journal' || part === 'bindings')
}

/**
 * An earlier local folder of a workspace. It is in `.workspace/local/`, if the person made the repository later. Or it
 * is in a repository in which the workspace has another path: one further up, if the person made this repository later,
 * or with its earlier name, if the person renamed or moved the workspace. Only folders on the list count.
 */
function earlierPlace(
  root: string,
  { repository, local }: { repository: Repository; local: string },
  outside: Outside,
): string | undefined {
  const lines = listIfReadable(outside)
  const random = existsSync(localsOf(root)) ? lines.filter(({ name }) => name !== IN_GIT) : []
  const nameHere = random.find((line) => line.root === root && isAt(root, line.name))?.name
  const name = nameHere ?? movedHere(root, random)
  const place = name === undefined ? undefined : join(localsOf(root), name)
  if (place !== undefined && isPlainFolder(place)) return place
  // If `local` has metadata, it knows conversations, so the workspace was not renamed.
  const mayBeRenamed = root !== repository.top && !existsSync(join(local, 'metadata'))
  return lines
    .filter((line) => line.name === IN_GIT && line.root !== local)
    .find((line) => isEarlier(line.root, root, repository, mayBeRenamed))?.root
}

/**
 * Whether a local folder is about a workspace that is now at `root`. Its name is a path in its repository: that of
 * `root`; or, with `mayBeRenamed` and in the same repository, one where no workspace is any more, while the folder knows
 * a conversation in `root`. If the repository has other worktrees, one of these may still use the folder.
 */
function isEarlier(
  place: string,
  root: string,
  { common: here, top }: Repository,
  mayBeRenamed: boolean,
): boolean {
  const common = dirname(dirname(dirname(place)))
  const [above, name] = [common === here ? top : dirname(common), basename(place)]
  // A hash tells only whether it is that of this path (wayOf).
  const before = HASH.test(name)
    ? sha256(relative(above, root)) === name && root
    : join(above, decodeURIComponent(name))
  if (before === false) return false
  if (before !== root && (common !== here || !mayBeRenamed)) return false
  if (basename(dirname(place)) !== 'below' || existsSync(join(common, 'worktrees')) || !isPlainFolder(place))
    return false
  return before === root || (!existsSync(join(before, '.workspace')) && knowsOneOf(place, root))
}

/**
 * Whether a local folder knows a conversation in `root`: a metadata backup has its path and the time when it began
 * (store/machine/metadata-backup.ts).
 */
function knowsOneOf(local: string, root: string): boolean {
  const metadata = join(local, 'metadata')
  if (!isPlainFolder(metadata)) return false
  return readdirSync(metadata).some((name) => {
    const { path, session, held } = parse(readText(join(metadata, name)))
    if (typeof path !== 'string') return false
    // If the state is held back, there is no session.json yet. The folder has the same inode after a move.
    const folder = lstatSync(join(root, path), { throwIfNoEntry: false })
    if (folder !== undefined && (held as Parsed | undefined)?.folder === folder.ino) return true
    const here = parse(readInside(root, `${path}/.session/session.json`))
    return here.created_at !== undefined && here.created_at === (session as Parsed | undefined)?.created_at
  })
}

type Parsed = Record<string, unknown>

/** Without keys if the file is missing or broken. */
function parse(text: string | undefined): Parsed {
  return Object(parseJson(text ?? '')) as Parsed
}

/**
 * Whether a local folder contains something. `below` does not count, because it has the local folders of other
 * workspaces. `open-sessions` does not count, because a hook notes a session there before anything of it is
 * recorded.
 */
function hasState(local: string): boolean {
  return isPlainFolder(local) && readdirSync(local).some((name) => !['open-sessions', 'below'].includes(name))
}

function isPlainFolder(path: string): boolean {
  const parent = lstatSync(dirname(path), { throwIfNoEntry: false })
  return parent?.isDirectory() === true && lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/**
 * Checks a local folder in git's directory when this machine first finds it, because it may have come with an archive.
 * Throws `unsafe-path` if it contains something else than folders and regular files, for example a link. After that,
 * only this program writes there, so it is not checked again. `depth` is how many folders at the end of its path are
 * ours.
 */
function admit(local: string, depth: number, outside: Outside, looks: boolean): void {
  if (isAdmitted(local, outside)) return
  const parents = Array.from({ length: depth }, (_, up) => join(local, ...Array<string>(up).fill('..')))
  for (const folder of parents.reverse()) {
    const stats = lstatSync(folder, { throwIfNoEntry: false })
    if (stats === undefined) return
    if (!stats.isDirectory()) throw planted(folder)
  }
  for (const entry of readdirSync(local, { withFileTypes: true, recursive: true }))
    if (!entry.isDirectory() && !entry.isFile()) throw planted(join(entry.parentPath, entry.name))
  if (looks) return
  try {
    addToList(outside, { name: IN_GIT, root: local })
  } catch (error) {
    // The sandbox of an agent may forbid writing the list. Then the next call checks the folder again.
    if (!(error instanceof CortextError)) throw error
  }
}

function isAdmitted(local: string, outside: Outside): boolean {
  return listIfReadable(outside).some((line) => line.name === IN_GIT && line.root === local)
}

/**
 * A line of the list in the person's home: a local folder outside git that this machine has made, or one in git's
 * directory that it has checked.
 */
interface Line {
  /** The random name of a local folder outside git; IN_GIT for a local folder in git's directory. */
  name: string
  /** Outside git: the workspace's root, with its links resolved. In git's directory: the path of the local folder. */
  root: string
}

const LIST = 'workspaces'
const IN_GIT = 'git'

/** Every line, in the order in which they were written. Throws `unreadable`. */
function readList(outside: Outside): Line[] {
  return readHomeList(outside, LIST).flatMap((line) => lineIn(line) ?? [])
}

function lineIn(line: unknown): Line | undefined {
  const [name, root] = Array.isArray(line) ? (line as unknown[]) : []
  if (typeof name !== 'string' || typeof root !== 'string') return undefined
  return /^(?:[0-9a-f]{32}|git)$/.test(name) ? { name, root } : undefined
}

function addToList(outside: Outside, { name, root }: Line): void {
  addToHomeList(outside, LIST, [name, root])
}

/** The lines of the list; none when it cannot be read, for example in the sandbox of an agent. */
function listIfReadable(outside: Outside): Line[] {
  try {
    return readList(outside)
  } catch (error) {
    if (!(error instanceof CortextError)) throw error
    return []
  }
}

function planted(path: string): CortextError {
  return new CortextError(
    'unsafe-path',
    `${path} is a link, or not the kind of file that belongs there; cortext did not make it`,
    {
      fix: paste`look at it: ls -ld ${path}; then remove it`,
    },
  )
}

/** The folder in which a workspace outside git has its local folder. */
export function localsOf(root: string): string {
  return join(root, '.workspace', 'local')
}

/**
 * Takes a workspace off the list. Call this after its local folder was removed. Throws `unreadable` or `unwritable`.
 */
export function forgetLocal(root: string, local: string, outside: Outside): void {
  takeOffHomeList(outside, LIST, (value) => {
    const line = lineIn(value)
    return line === undefined || line.root === (line.name === IN_GIT ? local : root)
  })
}

function nameOf(root: string, outside: Outside, looks: boolean): string {
  const lines = readList(outside).filter((line) => line.name !== IN_GIT)
  const ownLine = lines.find((line) => line.root === root)
  if (ownLine !== undefined) return ownLine.name
  const name = movedHere(root, lines) ?? crypto().randomBytes(16).toString('hex')
  if (looks) return name
  addToList(outside, { name, root })
  // Another process may have added this workspace at the same moment. Both use the first line.
  return readList(outside).find((line) => line.name !== IN_GIT && line.root === root)?.name ?? name
}

/**
 * The name of the local folder of a workspace that the person has moved to `root`. Undefined if the folder is still at
 * the old place too, because then `root` is a copy.
 */
function movedHere(root: string, random: readonly Line[]): string | undefined {
  return random.find((line) => isAt(root, line.name) && !isAt(line.root, line.name))?.name
}

function isAt(root: string, name: string): boolean {
  return existsSync(join(localsOf(root), name))
}
