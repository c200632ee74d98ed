import { existsSync, realpathSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { isProgram } from '../../io/program.ts'
import { paste } from '../../text/paste.ts'
import { filterNames, git, type WorkTree } from './run-git.ts'

/**
 * In a commit that no person was asked about, no file of the work tree may choose which programs run, because an agent
 * may have written this file. So git runs no hooks and no filters, because most of them run what a file of the work
 * tree says.
 */

/** Arguments before git's command, with which git finds no hooks. */
export const NO_HOOKS = ['-c', 'core.hooksPath=/dev/null']

/** The hooks that a commit would run here. Rejects with git's error message. */
export async function hooksOf(tree: WorkTree): Promise<string[]> {
  const folder = resolve(tree.root, (await git(tree, ['rev-parse', '--git-path', 'hooks'])).trimEnd())
  return HOOKS.filter((name) => isProgram(join(folder, name)))
}

const HOOKS = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit']

/**
 * Returns a sentence about a file that git would commit with other bytes than it has; undefined if there is none. A
 * `.gitattributes` of a clone, in a folder below, goes before our own lines and may ask for that.
 *
 * - A file of a record: git would write into its words (`ident`), or in another encoding.
 * - With `unasked`, any file to which a filter applies (git-lfs, git-crypt). Only a commit by a person runs filters, and
 *   without its filter the file would be committed as the person does not want it.
 *
 * Rejects with git's error message.
 */
export async function conversionOf(
  tree: WorkTree,
  paths: readonly string[],
  { unasked }: { unasked: boolean },
): Promise<string | undefined> {
  const filters = new Set(unasked ? await filterNames(tree) : [])
  const input = paths.map((path) => `${path}\0`).join('')
  const asked = ['check-attr', '-z', '--stdin', 'ident', 'working-tree-encoding', 'filter']
  const fields = (await git(tree, asked, input)).split('\0')
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = '', name = '', value = ''] = fields.slice(at, at + 3)
    if (name === 'filter' && filters.has(value))
      return `git's filter "${value}" applies to ${path}, and only a commit by a person runs filters`
    const converts = name !== 'filter' && value !== 'unspecified' && value !== 'unset'
    if (converts && `/${path}`.includes('/.session/'))
      return `a .gitattributes lets git change ${path} (${name}): ${paste`git check-attr --all -- ${path}`}`
  }
  return undefined
}

/**
 * Git's configuration also names the programs for signing. Returns a sentence if the configuration includes a file of
 * the work tree, or names one as such a program; otherwise undefined. Rejects with git's error message.
 */
export async function configurationInTree(tree: WorkTree): Promise<string | undefined> {
  // Two paths in one output could not be told apart, because a path may contain a line break.
  const pathFrom = async (what: string) => (await git(tree, ['rev-parse', what])).replace(/\n$/, '')
  const top = realPath(resolve(tree.root, await pathFrom('--show-toplevel')))
  const gitDir = realPath(resolve(tree.root, await pathFrom('--git-common-dir')))
  // Git prints paths relative to the top of the work tree, and runs programs there.
  const isInTree = (path: string) => {
    const real = realPath(resolve(top, path))
    return isBelow(top, real) && !isBelow(gitDir, real)
  }
  const entries = (await git(tree, ['config', '--list', '--show-origin', '-z'])).split('\0')
  for (const [index, entry] of entries.entries()) {
    const included = entry.startsWith('file:') ? entry.slice('file:'.length) : undefined
    if (included !== undefined && isInTree(included))
      return `git's configuration includes ${included}, which is in the work tree`
    // The output alternates between a file and an entry from it: a name, and the value in further lines.
    const [, name = '', value = ''] = index % 2 === 0 ? [] : (/^(.*?)\n(.*)$/s.exec(entry) ?? [])
    const program = PROGRAM.test(name)
      ? pathWords(value).find((word) => existsSync(resolve(top, word)) && isInTree(word))
      : undefined
    if (program !== undefined)
      return `git's configuration names ${program}, which is in the work tree, as ${name}`
  }
  return undefined
}

/** Settings that name a program which a commit runs; see git-config(1). */
const PROGRAM = /^gpg\.(?:.*\.)?(?:program|defaultkeycommand)$/i

/**
 * The words of a command line that may be paths. A first word without a slash is a program on PATH, so it is left out.
 */
function pathWords(command: string): string[] {
  const words = command.split(/[\s'"`;|&<>()]+/).filter((word) => word !== '')
  return words.filter((word, index) => index > 0 || word.includes('/'))
}

function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path
}

function isBelow(folder: string, path: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}
