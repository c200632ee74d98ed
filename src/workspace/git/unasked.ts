import { existsSync, realpathSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { isProgram } from '../../io/run.ts'

/**
 * What a commit may run that no person was asked about: nothing that the work tree decides, since an agent that may edit
 * files writes there. Its hooks are left out, all of them: most run what a file of the tree says.
 */

/** Gives git no folder to look for hooks in. These words stand in front of git's command. */
export const NO_HOOKS = ['-c', 'core.hooksPath=/dev/null']

type Ask = (args: string[]) => Promise<string>

/** The hooks that a commit would run here. Rejects with git's words. */
export async function hooksOf(ask: Ask, root: string): Promise<string[]> {
  const folder = resolve(root, (await ask(['rev-parse', '--git-path', 'hooks'])).trimEnd())
  return HOOKS.filter((name) => isProgram(join(folder, name)))
}

const HOOKS = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit']

/**
 * Git's configuration names programs too: for signing, as filters, to watch files. The person's own files decide that,
 * unless one of them includes a file of the work tree. Says so then; undefined otherwise. Rejects with git's words.
 */
export async function configurationInTree(ask: Ask, root: string): Promise<string | undefined> {
  const where = await ask(['rev-parse', '--show-toplevel', '--git-common-dir'])
  const [top = '', git = ''] = where.split('\n').map((path) => realPath(resolve(root, path)))
  const listed = await ask(['config', '--list', '--show-origin', '--name-only', '-z'])
  const files = listed
    .split('\0')
    .flatMap((part) => (part.startsWith('file:') ? [part.slice('file:'.length)] : []))
    // Git tells them relative to the top of the work tree.
    .map((file) => realPath(resolve(top, file)))
  const inTree = files.find((file) => isBelow(top, file) && !isBelow(git, file))
  return inTree && `git's configuration includes ${inTree}, which lies in the work tree`
}

function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path
}

function isBelow(folder: string, path: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}
