import { commitAt, type OwnRepository } from '../git/own-repository.ts'
import {
  branchesAt,
  FETCHED,
  fetchPlace,
  isAncestor,
  JOINED,
  NEXT,
  sendNext,
  setRef,
  tidyPlace,
} from '../git/place.ts'
import { gitNow } from '../git/run-git.ts'
import type { Place, Whereabouts } from './place.ts'

/** A branch of a git repository. It has one head, since git takes a push only on top of what the machine has seen. */
export function gitPlace(repository: OwnRepository, place: Whereabouts): Place {
  let there: string | undefined
  return {
    unread: [],
    state: async () => {
      there = (await branchesAt(repository, place.address)).get(place.branch)
      return there
    },
    heads: async () => (there === undefined ? [] : [{ name: there, commit: there }]),
    take: async () => {
      if (there !== undefined && commitAt(repository, JOINED) === there) setRef(repository, FETCHED, there)
      else await fetchPlace(repository, place)
    },
    includesJoined: (_, deleted) => includesJoined(repository, deleted),
    send: async (_, { isAnew }) => {
      const next = commitAt(repository, NEXT)
      const isSent = next === undefined || next === there || (await sendNext(repository, place, there))
      if (!isSent) return undefined
      if (isAnew) tidyPlace(repository, place)
      return { name: next, state: next }
    },
  }
}

/**
 * False if somebody has put the branch back to an earlier state, also if it went on from there. What was erased from
 * the history of the branch has given its commits other ids, but not other times and marks (`sentMessage`). Commits that
 * changed only what is `deleted` are gone. A commit "not joined" (syncing/sync.ts) is of this machine alone.
 */
function includesJoined(repository: OwnRepository, deleted: readonly string[]): boolean {
  if (commitAt(repository, JOINED) === undefined) return true
  const marks = (...which: string[]) =>
    gitNow(repository, ['log', '-z', '--format=%ct %ce %b', ...which])
      .toString('utf8')
      .split('\0')
      .filter(Boolean)
  const others =
    deleted.length === 0 ? [] : ['--', '.', ...deleted.map((path) => `:(exclude,literal)${path}`)]
  const [sent] = marks('-1', '--invert-grep', '--basic-regexp', '--grep=^not joined$', JOINED, ...others)
  return sent === undefined || isAncestor(repository, JOINED, FETCHED) || marks(FETCHED).includes(sent)
}
