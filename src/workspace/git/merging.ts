import { headOf, textsNamed } from './blame.ts'
import { DIFF_NAMES, literal, records, statusOf } from './index.ts'
import { conversionOf } from './programs-it-runs.ts'
import { git, type WorkTree } from './run-git.ts'

/**
 * Git commands about merges, rebases, cherry-picks and the like. Only `stage` writes. Paths are relative to `root`. One
 * git handles all files, so few processes run; `textsNamed` may need one for each file.
 */

/**
 * The commit in HEAD, and the files with these endings that differ from the commit `since`. No files if this clone does
 * not have the commit `since`.
 */
export async function changedSince(
  tree: WorkTree,
  since: string | undefined,
  endings: readonly string[],
): Promise<{ head: string | undefined; paths: string[] }> {
  const head = await headOf(tree)
  if (since === undefined || !COMMIT.test(since)) return { head, paths: [] }
  const output = await git(tree, [...DIFF_NAMES, since, '--', ...endings.map(ending)]).catch(() => '')
  return { head, paths: [...new Set(records(output))] }
}

const COMMIT = /^[0-9a-f]{40,64}$/

/** The texts of a file that git could not merge: in the common ancestor, and on both sides. */
export interface Unmerged {
  base?: string
  ours?: string
  theirs?: string
}

/** The files with the ending `name` that git could not merge, by path. Rejects with git's error message. */
export async function unmergedFiles(tree: WorkTree, name: string): Promise<Map<string, Unmerged>> {
  const output = await git(tree, ['ls-files', '--unmerged', '-z', '--', ending(name)])
  const entries = records(output).flatMap((entry) => {
    const [, blob, stage, path] = /^\d+ ([0-9a-f]+) ([123])\t(.*)$/s.exec(entry) ?? []
    return blob === undefined ? [] : [{ blob, side: SIDES[Number(stage) - 1]!, path: path! }]
  })
  const files = new Map<string, Unmerged>()
  if (entries.length === 0) return files
  const texts = await textsNamed(
    tree,
    entries.map(({ blob }) => blob),
  )
  for (const [index, { side, path }] of entries.entries()) {
    const text = texts[index]
    files.set(path, { ...files.get(path), ...(text === undefined ? {} : { [side]: text }) })
  }
  return files
}

const SIDES = ['base', 'ours', 'theirs'] as const

/**
 * For each of these files, the last commits that changed it, newest first: of all branches, and of a merge or rebase
 * that is in progress. Git counts the commits of all files together, so a file gets none if others have changed much
 * more often; nor does one whose name git quotes.
 */
export async function commitsOf(tree: WorkTree, paths: readonly string[]): Promise<Map<string, string[]>> {
  const heads = ['HEAD', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REBASE_HEAD', 'ORIG_HEAD', 'FETCH_HEAD']
  // A limit for the whole, so that git does not read a long history for a few files.
  const maxCount = `--max-count=${MAX_COMMITS * Math.min(paths.length, MAX_COMMITS)}`
  const names = ['-m', '--name-only', '--relative', '--no-renames', '--no-ext-diff', '--format=%x01%H']
  const log = ['-c', 'core.quotePath=false', 'log', '--ignore-missing', '--full-history', maxCount, ...names]
  const listable = paths.filter((path) => !path.includes('\n'))
  const input = ['--', ...listable.map(literal), ''].join('\n')
  const output = await git(tree, [...log, '--all', ...heads, '--stdin'], input).catch(() => '')
  const commits = new Map(paths.map((path) => [path, [] as string[]]))
  let commit = ''
  for (const line of output.split('\n'))
    if (line.startsWith('\u0001')) commit = line.slice(1)
    else {
      const ofFile = commits.get(line)
      // Git lists the names of a merge once for each of its parents.
      if (ofFile !== undefined && ofFile.length < MAX_COMMITS && ofFile.at(-1) !== commit) ofFile.push(commit)
    }
  return commits
}

const MAX_COMMITS = 200

/** The texts of files in commits, in the order of `versions`; undefined for a file that is missing. */
export function textsIn(
  tree: WorkTree,
  versions: readonly { commit: string; path: string }[],
): Promise<(string | undefined)[]> {
  return textsNamed(
    tree,
    versions.map(({ commit, path }) => `${commit}:./${path}`),
  )
}

/**
 * Whether one of these files, or a file below them, is staged: the person has begun a commit, or a merge is not
 * committed yet.
 */
export async function hasStaged(tree: WorkTree, paths: readonly string[]): Promise<boolean> {
  return records(await git(tree, [...DIFF_NAMES, '--cached'])).some((staged) =>
    paths.some((path) => staged === path || staged.startsWith(`${path}/`)),
  )
}

/**
 * Stages files as they are now, also new and deleted ones. Rejects with git's error message. Also rejects if git
 * would stage other bytes (conversionOf).
 */
export async function stage(tree: WorkTree, paths: readonly string[]): Promise<void> {
  const { changes } = await statusOf(tree, { paths })
  const changed = changes.map(({ path }) => path)
  const conversion = await conversionOf(tree, changed, { unasked: true })
  if (conversion !== undefined) throw new Error(conversion)
  const input = paths.map(literal).join('\0')
  await git(tree, ['add', '--all', '--pathspec-from-file=-', '--pathspec-file-nul'], input, 600_000)
}

function ending(name: string): string {
  return `:(glob)**/${name}`
}
