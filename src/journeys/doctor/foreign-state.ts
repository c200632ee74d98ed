import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { listNames } from '../../io/list-names.ts'
import { realFolder } from '../../io/real-folder.ts'
import { paste } from '../../text/paste.ts'
import { localsOf } from '../../workspace/local-folder.ts'
import type { Workspace } from '../../workspace/open.ts'
import { findRepository, type Repository, selfAndParents } from '../../workspace/repository.ts'
import { type Finding, note, some } from './finding.ts'

/**
 * Reports folders in `.workspace/local/` that this machine has not made. They are not used. Also reports a `.git` that
 * is not used.
 */
export function foreignState(ws: Workspace): Finding[] {
  const locals = localsOf(ws.root)
  const own = dirname(ws.local) === locals ? basename(ws.local) : ''
  const names = listNames(locals, '').filter((name) => name !== own)
  return [
    ...(names.length === 0
      ? []
      : [
          note(
            'foreign-state',
            `not used, since it was not made here: ${some(names)} in ${locals}`,
            'to bring in what the clients still have: cortext import',
          ),
        ]),
    ...refusedGit(ws.root),
  ]
}

/** Reports a `.git` that git does not accept from this user, or whose repository does not name this work tree. */
function refusedGit(root: string): Finding[] {
  const repository = findRepository(root)
  if (repository?.knowsTop === true) return []
  if (repository !== undefined) return [unnamedFolder(root, repository)]
  const folder = [...selfAndParents(root)].find((parent) => existsSync(join(parent, '.git')))
  if (folder === undefined) return []
  return [
    note(
      'foreign-git',
      `${join(folder, '.git')} is not your repository of this folder, so nothing of yours is written into it`,
      'git rev-parse --show-toplevel',
    ),
  ]
}

/**
 * Reports that `.git` is a link or a file, and that the repository to which it leads does not name this folder. The
 * repository may belong to somebody else.
 */
function unnamedFolder(root: string, { top, common: found }: Repository): Finding {
  const common = realFolder(found)
  const dotGit = join(top, '.git')
  const message = `${dotGit} leads to ${common}, which does not name this folder as its own; so this machine's state is in ${localsOf(root)}, where git clean -x would delete it`
  const name = paste`git --git-dir ${common} config core.worktree ${top}`
  const isLink = statSync(dotGit).isDirectory()
  const file = paste`rm ${dotGit} && echo ${`gitdir: ${common}`} > ${dotGit}`
  return note('unnamed-folder', message, isLink ? `${file} && ${name}` : name)
}
