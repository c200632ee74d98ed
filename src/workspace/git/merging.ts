import type { Environment } from '../../io/environment.ts'
import { literal } from './index.ts'
import { git } from './run.ts'

/** What has to be known of merges, by whatever name git does them. Paths are relative to `root`. */

/**
 * The present commit, and the files with this ending that differ from how they were in the commit `since`. None where
 * that one is not known here. Rejects with git's words.
 */
export async function changedSince(
  root: string,
  env: Environment['env'],
  since: string | undefined,
  endings: readonly string[],
): Promise<{ head: string | undefined; paths: string[] }> {
  const head = (await git(root, env, ['rev-parse', '--verify', '--quiet', 'HEAD']).catch(() => '')).trim()
  const now = head === '' ? undefined : head
  if (since === undefined || !COMMIT.test(since)) return { head: now, paths: [] }
  const globs = endings.map((ending) => `:(glob)**/${ending}`)
  const diff = ['diff', '--name-only', '--no-renames', '--no-ext-diff', '--no-textconv', '--relative', '-z']
  const output = await git(root, env, [...diff, since, '--', ...globs]).catch(() => '')
  return { head: now, paths: [...new Set(output.split('\0').filter((path) => path !== ''))] }
}

const COMMIT = /^[0-9a-f]{40,64}$/

/** The versions that git holds of a file that it could not merge; undefined of any other file. */
export async function unmergedVersions(
  root: string,
  env: Environment['env'],
  path: string,
): Promise<{ base?: string; ours?: string; theirs?: string } | undefined> {
  const output = await git(root, env, ['ls-files', '--unmerged', '-z', '--', literal(path)])
  const entries = output.split('\0').flatMap((entry) => {
    const [, blob, stage] = /^\d+ ([0-9a-f]+) ([123])\t/.exec(entry) ?? []
    return blob === undefined ? [] : [{ blob, stage }]
  })
  if (entries.length === 0) return undefined
  const versions = await Promise.all(
    entries.map(async ({ blob, stage }) => [
      ['base', 'ours', 'theirs'][Number(stage) - 1],
      await git(root, env, ['cat-file', 'blob', blob]),
    ]),
  )
  return Object.fromEntries(versions)
}

/** The last commits that changed a file, on any branch and in whatever is being merged, the newest first. */
export async function commitsOf(root: string, env: Environment['env'], path: string): Promise<string[]> {
  const heads = ['HEAD', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REBASE_HEAD', 'ORIG_HEAD', 'FETCH_HEAD']
  const log = ['log', '--ignore-missing', '--full-history', '--format=%H', `--max-count=${MOST}`, '--all']
  const output = await git(root, env, [...log, ...heads, '--', literal(path)]).catch(() => '')
  return output.split('\n').filter((line) => line !== '')
}

const MOST = 200

/** The text of a file in a commit; undefined where it is not there. */
export function textIn(
  root: string,
  env: Environment['env'],
  commit: string,
  path: string,
): Promise<string | undefined> {
  return git(root, env, ['cat-file', 'blob', `${commit}:./${path}`]).catch(() => undefined)
}

/** Whether something of these files is staged: a person has begun a commit of them, or a merge without one. */
export async function hasStaged(
  root: string,
  env: Environment['env'],
  paths: readonly string[],
): Promise<boolean> {
  return (await git(root, env, ['diff', '--cached', '--name-only', '--', ...paths.map(literal)])) !== ''
}

/** Stages files as they are now, new ones and ones that are gone too. Rejects with git's words. */
export async function stage(root: string, env: Environment['env'], paths: readonly string[]): Promise<void> {
  const input = paths.map(literal).join('\0')
  await git(root, env, ['add', '--all', '--pathspec-from-file=-', '--pathspec-file-nul'], input)
}
