import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { listNames } from '../../io/list-names.ts'
import { localsOf } from '../../workspace/local-folder.ts'
import type { Workspace } from '../../workspace/open.ts'
import { findRepository, selfAndParents } from '../../workspace/repository.ts'
import { type Finding, note, some } from './finding.ts'

/** Tells what lies where this machine's own state belongs, and is not used because it came from elsewhere. */
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
            'what its clients still have comes in with: cortext import',
          ),
        ]),
    ...refusedGit(ws.root),
  ]
}

/** A `.git` that git would not accept from this user, or that does not know this work tree. */
function refusedGit(root: string): Finding[] {
  const repository = findRepository(root)
  if (repository?.knowsTop === true) return []
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
