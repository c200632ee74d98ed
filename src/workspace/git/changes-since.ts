import { isAbsolute, relative, resolve, sep } from 'node:path'
import { withSlashes } from '../../io/slashes.ts'
import { findGitTop } from '../root.ts'
import { DIFF_NAMES, literal, records } from './index.ts'
import { git, type WorkTree } from './run-git.ts'

/** What has changed in the repository since a conversation was saved. */
export interface Changes {
  /** How many commits HEAD has that the saved commit does not have. */
  commits: number
  /** Those of the given paths whose content has changed. */
  changed: string[]
}

/**
 * Lists the changes since the commit `head`. `dirty` says whether the work tree differed from `head` when the
 * conversation was saved. If the work tree did not differ, git compares `head` with the files on disk. If it differed,
 * git compares `head` with HEAD, because the edits of the conversation itself must not count. `paths` are relative to
 * `root`; paths outside the repository are skipped. Undefined outside git, when `head` is no sha or not in this clone,
 * and when git fails.
 */
export async function changesSince(
  tree: WorkTree,
  since: {
    head: string
    dirty?: boolean
    paths: readonly string[]
    /** Commits that change only these paths do not count, because they only save the conversation. */
    except?: readonly string[]
  },
): Promise<Changes | undefined> {
  const { head, dirty, paths, except = [] } = since
  const { root } = tree
  const top = findGitTop(root)
  if (top === undefined || !/^[0-9a-f]{7,64}$/.test(head)) return undefined
  try {
    const own = except.map((path) => `:(exclude,literal)${path}`)
    const others = own.length === 0 ? [] : ['--', ':(top)', ...own]
    const commits = Number(await git(tree, ['rev-list', '--count', `${head}..HEAD`, ...others]))
    const inside = paths.filter((path) => isInside(top, resolve(root, path)))
    if (inside.length === 0) return { commits, changed: [] }
    const to = dirty ? ['HEAD'] : []
    const asked = inside.map((path) => literal(relative(top, resolve(root, path)) || '.'))
    const output = await git({ ...tree, root: top }, [...DIFF_NAMES, head, ...to, '--', ...asked])
    return {
      commits,
      changed: records(output).map((path) => withSlashes(relative(root, resolve(top, path)))),
    }
  } catch {
    // The commit is not in this clone, or git has failed. So nothing is known about changes.
    return undefined
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
