import { relative, resolve } from 'node:path'
import { withSlashes } from '../../io/slashes.ts'
import { findGitTop } from '../root.ts'
import { literal } from './index.ts'
import { git, gitBytes, type WorkTree } from './run-git.ts'

// Git commands about lines and commits, which write nothing. They only look at commits, so git runs no filters.

/** The commit that added a line, and what the file was called in it and in the commit before it. */
export interface BlamedCommit {
  sha: string
  author: string
  /** When it was committed, in milliseconds since 1970. A rebase changes this time. */
  time: number
  subject: string
  /** The path of the file in this commit, from the top of the work tree. */
  path: string
  /** The file before the commit; undefined when the commit added the file. */
  previous?: Version
}

export interface Blamed {
  head: string
  /** For each line of the file in HEAD: the commit that added it, and the number of the line in that commit. */
  lines: { commit: BlamedCommit; line: number }[]
}

/**
 * Git's blame of the file `path` (relative to `root`) in HEAD. Undefined when HEAD has no such file, and outside git.
 */
export async function blame(tree: WorkTree, path: string): Promise<Blamed | undefined> {
  const head = await headOf(tree)
  if (head === undefined) return undefined
  // With a list of ignored commits, git would name commits in which the line has another text.
  const args = ['-c', 'blame.ignoreRevsFile=', 'blame', '--line-porcelain', '--no-textconv', head, '--', path]
  const output = await git(tree, args).catch(() => undefined)
  return output === undefined ? undefined : { head, lines: parseBlame(output) }
}

/** The current commit; undefined before the first one, and outside git. */
export async function headOf(tree: WorkTree): Promise<string | undefined> {
  if (findGitTop(tree.root) === undefined) return undefined
  const head = (await git(tree, ['rev-parse', '--verify', '--quiet', 'HEAD']).catch(() => '')).trim()
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

/** Lines of one commit may come from several files, so there is one object for each commit and path. */
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

/** Decodes a name that git has quoted like a string in C. */
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
 * The texts of files in commits, in the order of `versions`; undefined for a file that is missing. If possible, one git
 * reads them all.
 */
export function textsAt(tree: WorkTree, versions: readonly Version[]): Promise<(string | undefined)[]> {
  return textsNamed(
    tree,
    versions.map(({ sha, path }) => `${sha}:${path}`),
  )
}

/** Like `textsAt`, but the files have git's names: `<commit>:<path>`, or the id of a blob. */
export async function textsNamed(tree: WorkTree, names: readonly string[]): Promise<(string | undefined)[]> {
  if (names.length > 1 && !names.some((name) => name.includes('\n'))) {
    const input = names.map((name) => `${name}\n`).join('')
    const output = await gitBytes(tree, ['cat-file', '--batch'], input).catch(() => Buffer.of())
    const texts = parseBatch(output, names.length)
    if (texts !== undefined) return texts
  }
  // If a name contains a line break or the output is too large, a git is started for each file.
  const texts: (string | undefined)[] = []
  for (const name of names) texts.push(await git(tree, ['cat-file', 'blob', name]).catch(() => undefined))
  return texts
}

/**
 * Parses the output of `cat-file --batch`: for each name a line with the size, then the content. Undefined when the end
 * of the output is missing.
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
  /**
   * `authored`: when the change was made, which a rebase keeps. `time`: when it was committed. In milliseconds since
   * 1970.
   */
  authored: number
  time: number
  /** The commits before this one that changed the file. A merge has several. */
  before: string[]
}

/** The commits up to HEAD that changed one of the files `paths` (from the top of the work tree), newest first. */
export async function commitsTouching(tree: WorkTree, paths: readonly string[]): Promise<Touching[]> {
  const top = findGitTop(tree.root) ?? tree.root
  const args = ['rev-list', '--parents', '--format=%at %ct', 'HEAD', '--', ...paths.map(literal)]
  const output = await git({ ...tree, root: top }, args).catch(() => '')
  return [...output.matchAll(/^commit (\S+)(.*)\n(\d+) (\d+)$/gm)].map(([, sha, before, authored, time]) => ({
    sha: sha!,
    before: before!.trim().split(' '),
    authored: Number(authored) * 1000,
    time: Number(time) * 1000,
  }))
}

/** The message of a commit; undefined when this repository has no such commit. */
export async function messageOfCommit(tree: WorkTree, sha: string): Promise<string | undefined> {
  const text = await git(tree, ['cat-file', 'commit', sha]).catch(() => undefined)
  return text?.slice(text.indexOf('\n\n') + 2)
}

/** The commits up to HEAD whose message contains a text, newest first. */
export async function commitsMentioning(
  tree: WorkTree,
  text: string,
): Promise<{ sha: string; message: string }[]> {
  if (findGitTop(tree.root) === undefined) return []
  const args = ['rev-list', '--fixed-strings', `--grep=${text}`, '--format=%B%x00', 'HEAD']
  const output = await git(tree, args).catch(() => '')
  return [...output.matchAll(/^commit (\S+)\n([^\0]*)\0/gm)].map(([, sha, message]) => ({
    sha: sha!,
    message: message!,
  }))
}

/** Maps shortened ids of commits to full ones. Leaves out commits that this repository does not have. */
export async function fullNames(tree: WorkTree, ids: readonly string[]): Promise<Map<string, string>> {
  if (findGitTop(tree.root) === undefined || ids.length === 0) return new Map()
  const input = ids.map((id) => `${id}\n`).join('')
  const output = await git(tree, ['cat-file', '--batch-check'], input).catch(() => '')
  const names = output.split('\n').map((line) => /^([0-9a-f]{40,64}) commit /.exec(line)?.[1])
  return new Map(
    ids.flatMap((id, index) => (names[index] === undefined ? [] : [[id, names[index]] as const])),
  )
}

/** Makes a path from the top of the work tree relative to `root`. Undefined when it is not below `root`. */
export function fromRoot(root: string, path: string): string | undefined {
  const below = withSlashes(relative(root, resolve(findGitTop(root) ?? root, path)))
  return below === '..' || below.startsWith('../') ? undefined : below
}

/** Makes a path below `root` relative to the top of the work tree. Undefined outside git. */
export function fromTop(root: string, path: string): string | undefined {
  const top = findGitTop(root)
  return top === undefined ? undefined : withSlashes(relative(top, `${root}/${path}`))
}
