import { existsSync, realpathSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { isProgram } from '../../io/run.ts'
import { filterNames, git } from './run.ts'

/**
 * In a commit that no person was asked about, no file of the work tree may choose which programs run, because an agent
 * may have written this file. So git runs no hooks and no filters, because most of them run what a file of the work
 * tree says.
 */

/** Arguments before git's command, with which git finds no hooks. */
export const NO_HOOKS = ['-c', 'core.hooksPath=/dev/null']

/** The hooks that a commit would run here. Rejects with git's error message. */
export async function hooksOf(root: string, env: Environment['env']): Promise<string[]> {
  const folder = resolve(root, (await git(root, env, ['rev-parse', '--git-path', 'hooks'])).trimEnd())
  return HOOKS.filter((name) => isProgram(join(folder, name)))
}

const HOOKS = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit']

/**
 * Returns a sentence about a filter that applies to one of these files; undefined if none does. Without its filter
 * (git-lfs, git-crypt), such a file would be committed as the person does not want it. Rejects with git's error
 * message.
 */
export async function filterOn(
  root: string,
  env: Environment['env'],
  paths: readonly string[],
): Promise<string | undefined> {
  const names = new Set(await filterNames(root, env))
  if (names.size === 0) return undefined
  const input = paths.map((path) => `${path}\0`).join('')
  const fields = (await git(root, env, ['check-attr', '-z', '--stdin', 'filter'], input)).split('\0')
  const found = fields.findIndex((value, index) => index % 3 === 2 && names.has(value))
  if (found === -1) return undefined
  return `git's filter "${fields[found]}" applies to ${fields[found - 2]}, and only a commit by a person runs filters`
}

/**
 * Git's configuration also names the programs for signing. Returns a sentence if the configuration includes a file of
 * the work tree, or names one as such a program; otherwise undefined. Rejects with git's error message.
 */
export async function configurationInTree(
  root: string,
  env: Environment['env'],
): Promise<string | undefined> {
  // Two paths in one output could not be told apart, because a path may contain a line break.
  const pathFrom = async (what: string) => (await git(root, env, ['rev-parse', what])).replace(/\n$/, '')
  const top = realPath(resolve(root, await pathFrom('--show-toplevel')))
  const gitDir = realPath(resolve(root, await pathFrom('--git-common-dir')))
  // Git prints paths relative to the top of the work tree, and runs programs there.
  const isInTree = (path: string) => {
    const real = realPath(resolve(top, path))
    return isBelow(top, real) && !isBelow(gitDir, real)
  }
  const entries = (await git(root, env, ['config', '--list', '--show-origin', '-z'])).split('\0')
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
