import { CortextError } from '../errors.ts'
import { type OnOtherBranch, readBranches } from '../store/machine/git-checks.ts'
import { oneLine } from '../text/line.ts'
import { paste } from '../text/paste.ts'
import type { Workspace } from '../workspace/open.ts'

/**
 * The error of a conversation that this machine knows, while neither the work tree nor the machine has its words: git
 * has them on another branch. The `fix` brings them, if a list has seen the branch; otherwise it shows where they are.
 */
export function notHere({ local, root }: Workspace, path: string, title: string): CortextError {
  const known = readBranches(local, root)?.found.find((one) => one.path === path)
  const where = known === undefined ? '' : `; git has them on ${oneLine(known.branch)}`
  return new CortextError('not-found', `the words of "${oneLine(title)}" are not in this work tree${where}`, {
    fix: known === undefined ? paste`git log --all --source --oneline -- ${path}` : bringing(known),
  })
}

/** The command that brings a conversation of another branch into the work tree. */
export function bringing({ branch, path }: Pick<OnOtherBranch, 'branch' | 'path'>): string {
  return paste`git restore --source=${branch} -- ${path}`
}
