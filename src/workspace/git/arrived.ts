import { CortextError } from '../../errors.ts'
import { MAX_LINES } from '../../io/inside.ts'
import type { OwnRepository } from './own-repository.ts'
import { gitNow } from './run-git.ts'

/**
 * Looks at what has come from a place before a reference names it, because what reads the history goes through all
 * references. In a pack of some kilobytes may be files of many gigabytes, and folders that have the same folder in them
 * again and again, which git lists without an end.
 */

/**
 * Throws `refused` if this is no commit, or if it and its history, as far as no reference has them, are more than this
 * program reads. A file has at most `largest` bytes.
 */
export function checkArrived(repository: OwnRepository, commit: string, largest = MAX_LINES): void {
  const which = ['--objects', '--no-object-names', commit, '--not', '--all']
  const objects = gitNow(repository, ['rev-list', ...which])
  const asked = Buffer.concat([Buffer.from(`${commit}\n`), objects])
  const format = '--batch-check=%(objecttype) %(objectsize) %(objectname)'
  const answers = gitNow(repository, ['cat-file', format], asked)
  const lines = answers.toString('latin1').split('\n')
  if (!lines[0]!.startsWith('commit ')) throw refused('is no commit')
  const commits: string[] = []
  for (const line of lines.slice(1)) {
    const [type, size, id] = line.split(' ')
    if (type === 'commit') commits.push(`${id}\n`)
    const [what, most] = type === 'blob' ? ['file', largest] : [`git ${type}`, MOST_OF_OTHERS]
    if (Number(size) > most)
      throw refused(`has a ${what} of ${mb(Number(size))}, and at most ${mb(most)} are read`)
  }
  try {
    const how = ['--stdin', '-r', '-m', '--root', '--raw']
    gitNow(repository, ['diff-tree', ...how], commits.join(''), MOST_CHANGES)
  } catch (error) {
    // It prints too much, or needs more memory than there is.
    if (error instanceof CortextError) throw refused('has more files than are read')
    throw error
  }
}

/** The most bytes of a commit, a tree or a tag. Those of cortext have some thousand. */
const MOST_OF_OTHERS = 2 * 1024 * 1024
/** The most bytes in the list of all changes. One has some 200. */
const MOST_CHANGES = 512 * 1024 * 1024

function refused(why: string): CortextError {
  return new CortextError('refused', `what was sent there ${why}`, {
    fix: 'see who writes there; or name another place: cortext sync --to <place>',
  })
}

function mb(bytes: number): string {
  return `${Math.ceil(bytes / 1024 / 1024)} MB`
}
