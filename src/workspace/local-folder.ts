import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { CortextError } from '../errors.ts'
import { crypto } from '../hash.ts'
import { readInside } from '../io/inside.ts'
import { moveFolder } from '../io/move-folder.ts'
import { readText } from '../io/regular-file.ts'
import type { Outside } from '../io/state-file.ts'
import { paste } from '../text/paste.ts'
import { addToList, IN_GIT, type Line, readList, takeOffList } from './local-list.ts'
import { findRepository, type Repository } from './repository.ts'

/** This file is part of the hook bundle: it uses no library. */

/**
 * The folder for this machine's own state of a workspace: journal, bindings, index, locks, log. It is in git's common
 * directory, so that every worktree shares it, no `stash`, `checkout` or `clean` reaches it, and no clone brings it. A
 * workspace in a sub-folder has a local folder of its own, named after the workspace's path in the repository, because
 * conversations are known by their path in the workspace.
 *
 * Outside git it is a folder in `.workspace/local/` with a random name. A list in the person's home says which name
 * belongs to which workspace, so files that came with a folder from elsewhere are not mistaken for our own. The first
 * call adds the workspace to the list; with `looks` nothing is written. No call makes the folder itself, so the
 * returned folder may not exist.
 *
 * A repository may be made around a workspace while a session is being recorded. The first call after that moves the
 * folder to its new place. If that is not possible, and with `looks`, the folder is used at its old place, unless the
 * new place has state already.
 *
 * Throws `unreadable`, `unwritable`, and `unsafe-path` where a repository that came as an archive has brought a local
 * folder with links in it.
 */
export function localDir(root: string, outside: Outside, { looks = false } = {}): string {
  const repository = findRepository(root)
  if (repository?.knowsTop !== true) return join(localsOf(root), nameOf(root, outside, looks))
  const below = relative(repository.top, root)
  const way = below === '' ? ['cortext'] : wayBelow(below)
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
 * The top of the repository of `folder`, if this machine has copies of a workspace's files there
 * (store/machine/copies.ts).
 */
export function keptFor(folder: string, outside: Outside): string | undefined {
  const repository = findRepository(folder)
  if (repository?.knowsTop !== true) return undefined
  const local = join(repository.common, 'cortext')
  return isAdmitted(local, outside) && existsSync(join(local, 'workspace')) ? repository.top : undefined
}

/**
 * If both places have the same journal or binding file, both copies stay, because nothing in them shows which place is
 * right.
 */
function keepsBothVersions(path: string): boolean {
  return path.split(sep).some((part) => part === 'journal' || part === 'bindings')
}

function wayBelow(below: string): string[] {
  return ['cortext', 'below', encodeURIComponent(below)]
}

/**
 * An earlier place of a workspace's state: outside git or in a repository further up, from before its repository was
 * made; or under the workspace's earlier name in this repository. Only places that are on the list count.
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
  const places = [
    ...(name === undefined ? [] : [join(localsOf(root), name)]),
    ...placesAbove(root, repository, lines),
  ]
  // If `local` has metadata, it knows conversations and is the right place. Otherwise the place of a renamed workspace
  // is searched for.
  const found = places.find(isPlainFolder)
  return found ?? (existsSync(join(local, 'metadata')) ? undefined : renamedBelow(root, repository, lines))
}

/**
 * Finds the local folder of a workspace that was renamed or moved within its repository. That local folder is named
 * after a folder that is no longer a workspace, and knows a conversation that is here now. Undefined when the
 * repository has other worktrees, because they may still have the old folder.
 */
function renamedBelow(root: string, { top, common }: Repository, lines: readonly Line[]): string | undefined {
  if (root === top || existsSync(join(common, 'worktrees'))) return undefined
  const below = dirname(join(common, ...wayBelow('x')))
  return lines
    .filter(({ name, root: local }) => name === IN_GIT && dirname(local) === below)
    .map(({ root: local }) => local)
    .find((local) => {
      const before = join(top, decodeURIComponent(basename(local)))
      return before !== root && !existsSync(join(before, '.workspace')) && knowsOneOf(local, root)
    })
}

/** A conversation is known by its path and by when it began: store/machine/metadata-backup.ts. */
function knowsOneOf(local: string, root: string): boolean {
  const metadata = join(local, 'metadata')
  if (!isPlainFolder(metadata)) return false
  return readdirSync(metadata).some((name) => {
    const { path, session, held } = parse(readText(join(metadata, name)) ?? '')
    if (typeof path !== 'string') return false
    // A conversation that is held back has no session.json here yet. Its folder keeps its inode when it is renamed or
    // moved.
    const folder = lstatSync(join(root, path), { throwIfNoEntry: false })
    if (folder !== undefined && (held as Parsed | undefined)?.folder === folder.ino) return true
    const here = parse(readInside(root, `${path}/.session/session.json`) ?? '')
    return here.created_at !== undefined && here.created_at === (session as Parsed | undefined)?.created_at
  })
}

type Parsed = Record<string, unknown>

function parse(text: string): Parsed {
  try {
    return Object(JSON.parse(text)) as Parsed
  } catch {
    // The file is missing or broken. Another file may show the conversation.
    return {}
  }
}

/**
 * Places of the state in repositories further up. A repository with other worktrees keeps the state, because all its
 * worktrees share it.
 */
function placesAbove(root: string, { top }: Repository, lines: readonly Line[]): string[] {
  const about = lines.filter(({ name, root: local }) => name === IN_GIT && isAbout(local, root))
  if (about.length === 0 || dirname(top) === top) return []
  const further = findRepository(dirname(top))
  if (further?.knowsTop !== true || existsSync(join(further.common, 'worktrees'))) return []
  const path = join(further.common, ...wayBelow(relative(further.top, root)))
  const here = about.some((line) => line.root === path) ? [path] : []
  return [...here, ...placesAbove(root, further, lines)]
}

/**
 * Whether `root` ends with the path that gives a local folder in git's directory its name. Then the local folder may be
 * about this workspace.
 */
function isAbout(local: string, root: string): boolean {
  if (basename(dirname(local)) !== 'below') return false
  return root.endsWith(`${sep}${decodeURIComponent(basename(local))}`)
}

/**
 * Whether a local folder contains more than `below` (the local folders of workspaces in sub-folders) and
 * `open-sessions`, which a hook also makes when cortext does not work (src/clients/shared/setup/hook-command.ts).
 */
function hasState(local: string): boolean {
  return isPlainFolder(local) && readdirSync(local).some((name) => !['open-sessions', 'below'].includes(name))
}

function isPlainFolder(path: string): boolean {
  const parent = lstatSync(dirname(path), { throwIfNoEntry: false })
  return parent?.isDirectory() === true && lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/**
 * Checks a local folder in git's directory the first time that this machine finds it, because it may have come with an
 * archive. It may contain folders and regular files, but no links or pipes. After the check, only we write there.
 * `depth` is the number of folders in its path that are ours.
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
    // An agent's shell may not be allowed to write the list. Then the folder is checked again the next time.
    if (!(error instanceof CortextError)) throw error
  }
}

function isAdmitted(local: string, outside: Outside): boolean {
  return listIfReadable(outside).some((line) => line.name === IN_GIT && line.root === local)
}

/** The lines of the list; none when it may not be read, as in an agent's shell. */
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

/** The folder that contains the local folders of a workspace outside git. */
export function localsOf(root: string): string {
  return join(root, '.workspace', 'local')
}

/** Takes a workspace off the list. Call this when its local folder is gone. Throws `unreadable` or `unwritable`. */
export function forgetLocal(root: string, local: string, outside: Outside): void {
  takeOffList(outside, (line) => line.root === (line.name === IN_GIT ? local : root))
}

function nameOf(root: string, outside: Outside, looks: boolean): string {
  const lines = readList(outside).filter((line) => line.name !== IN_GIT)
  const ownLine = lines.find((line) => line.root === root)
  if (ownLine !== undefined) return ownLine.name
  const name = movedHere(root, lines) ?? crypto().randomBytes(16).toString('hex')
  if (looks) return name
  addToList(outside, { name, root })
  // Another process may have added this workspace at the same moment. The first line counts, for both.
  return readList(outside).find((line) => line.name !== IN_GIT && line.root === root)?.name ?? name
}

/**
 * The name of the local folder that came along when a workspace was moved; undefined if the old place still has the
 * folder.
 */
function movedHere(root: string, random: readonly Line[]): string | undefined {
  return random.find((line) => isAt(root, line.name) && !isAt(line.root, line.name))?.name
}

function isAt(root: string, name: string): boolean {
  return existsSync(join(localsOf(root), name))
}
