import { relative, resolve } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { withSlashes } from '../../io/slashes.ts'
import { findGitTop } from '../root.ts'
import { literal } from './index.ts'
import { git, gitBytes } from './run.ts'

// Read-only git commands about lines and commits. They compare only commits, so git runs no filter of the work tree.

/** The commit that added a line, with the names of the file in that commit and in the commit before. */
export interface BlamedCommit {
  sha: string
  author: string
  /** The committer's time in ms, which a rebase renews. */
  time: number
  subject: string
  /** From the top of the work tree. */
  path: string
  /** The version before the commit; undefined when the commit added the file. */
  previous?: Version
}

export interface Blamed {
  head: string
  /** For each line of the file in HEAD: the commit that added it, and its number there. */
  lines: { commit: BlamedCommit; line: number }[]
}

/**
 * Git's blame of a file in HEAD, by its path relative to `root`; undefined when HEAD has no such file, and outside git.
 */
export async function blame(
  root: string,
  env: Environment['env'],
  path: string,
): Promise<Blamed | undefined> {
  const head = await headOf(root, env)
  if (head === undefined) return undefined
  // A list of ignored commits would make git name commits in which the line reads differently.
  const args = ['-c', 'blame.ignoreRevsFile=', 'blame', '--line-porcelain', '--no-textconv', head, '--', path]
  const output = await git(root, env, args).catch(() => undefined)
  return output === undefined ? undefined : { head, lines: parseBlame(output) }
}

/** The current commit; undefined before the first one, and outside git. */
export async function headOf(root: string, env: Environment['env']): Promise<string | undefined> {
  if (findGitTop(root) === undefined) return undefined
  const head = (await git(root, env, ['rev-parse', '--verify', '--quiet', 'HEAD']).catch(() => '')).trim()
  return head === '' ? undefined : head
}

function parseBlame(output: string): Blamed['lines'] {
  const commits = new Map<string, BlamedCommit>()
  const lines: Blamed['lines'] = []
  let head = new Map<string, string>()
  let start: { sha: string; line: number } | undefined
  for (const text of output.split('\n'))
    if (start === undefined) {
      const [, sha, line] = /^([0-9a-f]{40,64}) (\d+) \d+/.exec(text) ?? []
      if (sha !== undefined) start = { sha, line: Number(line) }
    } else if (text.startsWith('\t')) {
      lines.push({ commit: commitIn(commits, start.sha, head), line: start.line })
      start = undefined
      head = new Map()
    } else head.set(text.split(' ', 1)[0]!, text.slice(text.indexOf(' ') + 1))
  return lines
}

/** One object per commit and path: lines of one commit may come from several files. */
function commitIn(
  commits: Map<string, BlamedCommit>,
  sha: string,
  head: ReadonlyMap<string, string>,
): BlamedCommit {
  const path = unquote(head.get('filename') ?? '')
  const key = `${sha} ${path}`
  const seen = commits.get(key)
  if (seen !== undefined) return seen
  const [before, ...name] = head.get('previous')?.split(' ') ?? []
  const commit: BlamedCommit = {
    ...{ sha, path, author: head.get('author') ?? '', subject: head.get('summary') ?? '' },
    time: Number(head.get('committer-time')) * 1000,
    ...(before === undefined ? {} : { previous: { sha: before, path: unquote(name.join(' ')) } }),
  }
  commits.set(key, commit)
  return commit
}

/** Decodes a name that git quotes as C does. */
function unquote(name: string): string {
  if (!name.startsWith('"')) return name
  const latin1 = name
    .slice(1, -1)
    .replace(/\\([0-7]{3})|\\(.)/g, (_, octal: string | undefined, char: string) =>
      octal !== undefined ? String.fromCharCode(Number.parseInt(octal, 8)) : (ESCAPES[char] ?? char),
    )
  return Buffer.from(latin1, 'latin1').toString('utf8')
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', a: '\u0007', b: '\b', f: '\f', v: '\v' }

/** A file (from the top of the work tree) in a commit. */
export interface Version {
  sha: string
  path: string
}

/**
 * The texts of files in commits, in the given order; undefined for a file that is missing. One process reads them all,
 * if possible.
 */
export function textsAt(
  root: string,
  env: Environment['env'],
  versions: readonly Version[],
): Promise<(string | undefined)[]> {
  return textsNamed(
    root,
    env,
    versions.map(({ sha, path }) => `${sha}:${path}`),
  )
}

/** Like `textsAt`, but by git's own names: `<commit>:<path>`, or the id of a blob. */
export async function textsNamed(
  root: string,
  env: Environment['env'],
  names: readonly string[],
): Promise<(string | undefined)[]> {
  if (names.length > 1 && !names.some((name) => name.includes('\n'))) {
    const input = names.map((name) => `${name}\n`).join('')
    const output = await gitBytes(root, env, ['cat-file', '--batch'], input).catch(() => Buffer.of())
    const texts = parseBatch(output, names.length)
    if (texts !== undefined) return texts
  }
  // A name that contains a line break, or an output that is too large, needs one process per name.
  const texts: (string | undefined)[] = []
  for (const name of names)
    texts.push(await git(root, env, ['cat-file', 'blob', name]).catch(() => undefined))
  return texts
}

/**
 * Parses the output of `cat-file --batch`: for each name a line with the size, then the content. Undefined when the
 * output is cut.
 */
function parseBatch(output: Buffer, count: number): (string | undefined)[] | undefined {
  const texts: (string | undefined)[] = []
  let offset = 0
  while (texts.length < count) {
    const end = output.indexOf('\n', offset)
    if (end === -1) return undefined
    const head = output.toString('utf8', offset, end)
    const [, kind, size] = /^[0-9a-f]{40,64} (\w+) (\d+)$/.exec(head) ?? []
    offset = end + 1
    if (size === undefined) {
      if (!/ missing$/.test(head)) return undefined
      texts.push(undefined)
      continue
    }
    const last = offset + Number(size)
    if (output[last] !== 0x0a) return undefined
    texts.push(kind === 'blob' ? output.toString('utf8', offset, last) : undefined)
    offset = last + 1
  }
  return offset === output.length ? texts : undefined
}

/** A commit that changed a file. */
export interface Touching {
  sha: string
  /** In ms: the author's time, which a rebase keeps, and the committer's time. */
  authored: number
  time: number
  /** The previous commits that changed the file; several for a merge. */
  before: string[]
}

/** The commits up to HEAD that changed one of these files (from the top of the work tree), newest first. */
export async function commitsTouching(
  root: string,
  env: Environment['env'],
  paths: readonly string[],
): Promise<Touching[]> {
  const top = findGitTop(root) ?? root
  const args = ['rev-list', '--parents', '--format=%at %ct', 'HEAD', '--', ...paths.map(literal)]
  const output = await git(top, env, args).catch(() => '')
  return [...output.matchAll(/^commit (\S+)(.*)\n(\d+) (\d+)$/gm)].map(([, sha, before, authored, time]) => ({
    sha: sha!,
    before: before!.trim().split(' '),
    authored: Number(authored) * 1000,
    time: Number(time) * 1000,
  }))
}

/** The message of a commit; undefined when this repository has no such commit. */
export async function messageOfCommit(
  root: string,
  env: Environment['env'],
  sha: string,
): Promise<string | undefined> {
  const text = await git(root, env, ['cat-file', 'commit', sha]).catch(() => undefined)
  return text?.slice(text.indexOf('\n\n') + 2)
}

/** The commits up to HEAD whose message contains a text, newest first. */
export async function commitsMentioning(
  root: string,
  env: Environment['env'],
  text: string,
): Promise<{ sha: string; message: string }[]> {
  if (findGitTop(root) === undefined) return []
  const args = ['rev-list', '--fixed-strings', `--grep=${text}`, '--format=%B%x00', 'HEAD']
  const output = await git(root, env, args).catch(() => '')
  return [...output.matchAll(/^commit (\S+)\n([^\0]*)\0/gm)].map(([, sha, message]) => ({
    sha: sha!,
    message: message!,
  }))
}

/** The full ids of commits by their shortened ids. Omits commits that this repository does not have. */
export async function fullNames(
  root: string,
  env: Environment['env'],
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (findGitTop(root) === undefined || ids.length === 0) return new Map()
  const input = ids.map((id) => `${id}\n`).join('')
  const output = await git(root, env, ['cat-file', '--batch-check'], input).catch(() => '')
  const names = output.split('\n').map((line) => /^([0-9a-f]{40,64}) commit /.exec(line)?.[1])
  return new Map(
    ids.flatMap((id, index) => (names[index] === undefined ? [] : [[id, names[index]] as const])),
  )
}

/** A path from the top of the work tree, made relative to `root`; undefined when it is not below `root`. */
export function fromRoot(root: string, path: string): string | undefined {
  const below = withSlashes(relative(root, resolve(findGitTop(root) ?? root, path)))
  return below === '..' || below.startsWith('../') ? undefined : below
}

/** A path relative to `root`, made relative to the top of the work tree; undefined outside git. */
export function fromTop(root: string, path: string): string | undefined {
  const top = findGitTop(root)
  return top === undefined ? undefined : withSlashes(relative(top, `${root}/${path}`))
}
