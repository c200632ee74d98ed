import { statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { listNames } from '../../io/list-names.ts'
import { realFolder } from '../../io/real-folder.ts'
import { paste } from '../../text/paste.ts'
import { localsOf } from '../../workspace/local-folder.ts'
import type { Workspace } from '../../workspace/open.ts'
import { findRepository, type Repository } from '../../workspace/repository.ts'
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
    ...unnamedBy(ws.root),
  ]
}

function unnamedBy(root: string): Finding[] {
  const repository = findRepository(root)
  return repository?.knowsTop === false ? [unnamedFolder(root, repository)] : []
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
