import { textsNamed } from './blame.ts'
import { records } from './index.ts'
import { git, type WorkTree } from './run-git.ts'

/** A file on a branch that is not checked out. */
export interface OnBranch {
  /** For example `feature`, or `origin/feature`. */
  branch: string
  /** Relative to the root. */
  path: string
  text: string
}

/**
 * The files with the ending `name` at and below `folders` that HEAD does not have, on branches that are not merged into
 * HEAD, one for each path: of local branches before those of remotes, and of what was committed last. Only the
 * MAX_BRANCHES branches are looked at that were committed to last. Rejects with git's error message.
 */
export async function filesOnBranches(
  tree: WorkTree,
  folders: readonly string[],
  name: string,
): Promise<OnBranch[]> {
  const format = '%(refname:short)%00%(symref)%00%(refname)'
  const sorted = [
    '--sort=-committerdate',
    `--count=${MAX_BRANCHES}`,
    '--no-merged=HEAD',
    `--format=${format}`,
  ]
  const output = await git(tree, ['for-each-ref', ...sorted, 'refs/heads/', 'refs/remotes/'])
  const refs = output.split('\n').flatMap((line) => {
    const [branch = '', symref, ref = ''] = line.split('\0')
    return branch === '' || symref !== '' ? [] : [{ branch, ref }]
  })
  if (refs.length === 0) return []
  const pathsIn = async (ref: string) => {
    const args = ['ls-tree', '-r', '-z', '--name-only', ref, '--', ...folders.map((folder) => `${folder}/`)]
    return records(await git(tree, args)).filter((path) => path.endsWith(`/${name}`))
  }
  const here = new Set(await pathsIn('HEAD'))
  const found = new Map<string, { branch: string; ref: string }>()
  const ordered = [...refs.filter(isLocal), ...refs.filter((one) => !isLocal(one))]
  for (const one of ordered)
    for (const path of await pathsIn(one.ref)) if (!here.has(path) && !found.has(path)) found.set(path, one)
  const files = [...found]
  const texts = await textsNamed(
    tree,
    files.map(([path, { ref }]) => `${ref}:./${path}`),
  )
  return files.flatMap(([path, { branch }], index) => {
    const text = texts[index]
    return text === undefined ? [] : [{ branch, path, text }]
  })
}

const MAX_BRANCHES = 50

function isLocal({ ref }: { ref: string }): boolean {
  return ref.startsWith('refs/heads/')
}
