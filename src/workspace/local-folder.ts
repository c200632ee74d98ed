import { appendFileSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { crypto } from '../crypto.ts'
import { CortextError } from '../errors.ts'
import { writeFileAtomic } from '../io/atomic-write.ts'
import { errnoOf, fileError } from '../io/file-error.ts'
import { paste } from '../text/paste.ts'
import { findRepository } from './repository.ts'

/** This file is part of the hook bundle: it uses no library. */

/** What is read of the outside: the person's home, and where they keep programs' state. */
export interface Outside {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * The folder for this machine's own state of a workspace: journal, bindings, index, locks, log. It lies in git's common
 * directory, so that every worktree shares it, no `stash`, `checkout` or `clean` reaches it, and no clone brings it. A
 * workspace in a sub-folder has a folder of its own, named by its path in the repository, because conversations are
 * known by their path in the workspace.
 *
 * Outside git it is a folder in `.workspace/local/` with a random name. A list in the person's home says which name
 * belongs to which workspace, so what came with a folder from elsewhere is never taken for our own. The first call adds
 * the workspace to the list; with `looks` nothing is written, and the folder returned then does not exist. The folder
 * itself is not made. Throws `unreadable`, `unwritable`, and `unsafe-path` where a repository that came as an archive
 * has brought a local folder with links in it.
 */
export function localDir(root: string, outside: Outside, { looks = false } = {}): string {
  const repository = findRepository(root)
  if (repository?.knowsTop !== true) return join(localsOf(root), nameOf(root, outside, looks))
  const below = relative(repository.top, root)
  const way = below === '' ? ['cortext'] : ['cortext', 'below', encodeURIComponent(below)]
  const local = join(repository.common, ...way)
  admit(local, way.length, outside, looks)
  return local
}

/**
 * Looks through a local folder in git's directory the first time that this machine meets it. Only an archive can have
 * brought one. It may hold what we would have made, and nothing that leads elsewhere or keeps a reader waiting: from
 * then on only we write there. `depth` is how many of its parents are ours to make.
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
    append(listPath(outside), textOf({ name: IN_GIT, root: local }))
  } catch (error) {
    // Nor to write there. Then it is looked through again.
    if (!(error instanceof CortextError)) throw error
  }
}

function isAdmitted(local: string, outside: Outside): boolean {
  try {
    return linesOf(listPath(outside)).some((line) => line.name === IN_GIT && line.root === local)
  } catch {
    // An agent's shell may not be allowed to read there either.
    return false
  }
}

function planted(path: string): CortextError {
  return new CortextError('unsafe-path', `${path} is a link or no regular file, and cortext never made it`, {
    fix: paste`look at it: ls -ld ${path}; then remove it`,
  })
}

/** Where the local folders of a workspace outside git lie. */
export function localsOf(root: string): string {
  return join(root, '.workspace', 'local')
}

/** Takes a workspace off the list, when its local folder is gone. Throws `unreadable` or `unwritable`. */
export function forgetLocal(root: string, local: string, outside: Outside): void {
  const list = listPath(outside)
  const lines = linesOf(list)
  const kept = lines.filter((line) => line.root !== (line.name === IN_GIT ? local : root))
  if (kept.length < lines.length) writeFileAtomic(list, kept.map(textOf).join(''), { mode: 0o600 })
}

/** A line is about a local folder outside git, or about one in git's directory that was looked through. */
interface Line {
  /** The folder's random name, or IN_GIT. */
  name: string
  /** The workspace's root, with its links resolved; of one in git's directory, the local folder itself. */
  root: string
}

const IN_GIT = 'git'

function nameOf(root: string, outside: Outside, looks: boolean): string {
  const list = listPath(outside)
  const lines = linesOf(list)
  const known = lines.find((line) => line.name !== IN_GIT && line.root === root)
  if (known !== undefined) return known.name
  const name = movedHere(root, lines) ?? crypto().randomBytes(16).toString('hex')
  if (looks) return name
  append(list, textOf({ name, root }))
  // Another process may have added this workspace at the same moment. The first line counts, for both.
  return linesOf(list).find((line) => line.name !== IN_GIT && line.root === root)?.name ?? name
}

/** A workspace that was moved has brought its local folder along, and left none where it was. */
function movedHere(root: string, lines: readonly Line[]): string | undefined {
  const isAt = (folder: string, name: string) => existsSync(join(localsOf(folder), name))
  const random = lines.filter(({ name }) => name !== IN_GIT)
  return random.find((line) => isAt(root, line.name) && !isAt(line.root, line.name))?.name
}

function listPath({ home, env }: Outside): string {
  return join(env.XDG_STATE_HOME || join(home, '.local', 'state'), 'cortext', 'workspaces')
}

function linesOf(list: string): Line[] {
  return readText(list)
    .split('\n')
    .flatMap((text) => lineIn(text) ?? [])
}

function lineIn(text: string): Line | undefined {
  try {
    const [name, root]: unknown[] = JSON.parse(text)
    return typeof name === 'string' && NAME.test(name) && typeof root === 'string'
      ? { name, root }
      : undefined
  } catch {
    // An empty line, or one that a full disk has cut: it names no workspace.
    return undefined
  }
}

const NAME = /^(?:[0-9a-f]{32}|git)$/

function textOf({ name, root }: Line): string {
  return `${JSON.stringify([name, root])}\n`
}

function append(list: string, text: string): void {
  try {
    mkdirSync(dirname(list), { recursive: true, mode: 0o700 })
    appendFileSync(list, text, { mode: 0o600 })
  } catch (error) {
    throw fileError(error, list, 'write')
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return ''
    throw fileError(error, path, 'read')
  }
}
