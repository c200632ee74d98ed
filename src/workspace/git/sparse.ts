import { addingCommand, isSparse } from '../sparse.ts'
import { literal } from './index.ts'
import { git, type WorkTree } from './run.ts'

/** What git has of a workspace, and a sparse checkout leaves out of the work tree; see git-sparse-checkout(1). */
export interface LeftOut {
  /** The folders of conversations, relative to the root. */
  conversations: string[]
  /** A command for the person that brings all of it. */
  fix: string
}

/**
 * What a sparse checkout leaves out of `.workspace/` and of the folders of conversations. Undefined if it is nothing.
 * Without a sparse checkout, no git is run.
 */
export async function leftOutOf(tree: WorkTree, folders: readonly string[]): Promise<LeftOut | undefined> {
  if (!isSparse(tree.root)) return undefined
  const own = [...new Set([...folders, '.workspace'])]
  const output = await git(tree, ['ls-files', '-t', '-z', '--', ...own.map(literal)]).catch(() => '')
  const files = output.split('\0').flatMap((line) => (line.startsWith('S ') ? [line.slice(2)] : []))
  const missing = own.filter((folder) => files.some((file) => file.startsWith(`${folder}/`)))
  if (missing.length === 0) return undefined
  const named = files.flatMap((file) => /^(.+\/\d{4}-\d{2}-\d{2}\/\d{3,6}-[^/]+)\//.exec(file)?.[1] ?? [])
  return { conversations: [...new Set(named)], fix: addingCommand(tree.root, missing) }
}
