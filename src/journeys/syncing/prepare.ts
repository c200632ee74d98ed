import { author, inHistory } from '../../conversation/keeping/open-history.ts'
import type { Gone } from '../../store/machine/place.ts'
import { countOf } from '../../text/count-of.ts'
import { commitOwn, type OwnChange, type OwnRepository } from '../../workspace/git/own-repository.ts'
import { commitAt, FETCHED, NEXT, setRef } from '../../workspace/git/place.ts'
import type { Workspace } from '../../workspace/open.ts'
import { isKeptHere, isSame } from './plan.ts'
import { sidesOf } from './read-sides.ts'
import { changesToSend, notJoined } from './send.ts'
import type { Sent } from './sides.ts'
import type { Synced } from './synced.ts'

/**
 * Makes the commit that is sent. Returns what is different in the reference of what is joined, because of conversations
 * that stay apart: this machine does not have what the place has of them.
 */
export function prepare(
  ws: Workspace,
  repository: OwnRepository,
  left: ReadonlySet<string>,
  gone: Gone,
  done: Synced,
): OwnChange[] {
  const { base, ours: all, theirs } = sidesOf(ws, repository)
  const isApart = ([origin, one]: [string, Sent]) => left.has(origin) || isKeptHere(one)
  const conversations = new Map([...all.conversations].filter((one) => !isApart(one)))
  const changes = changesToSend({ base, ours: { ...all, conversations }, theirs }, gone)
  done.sent = [...conversations]
    .filter(([origin, one]) => !isSame(one, theirs.conversations.get(origin)))
    .map(([, { path }]) => path)
  const what = done.sent.length === 0 ? 'up to date' : countOf(done.sent.length, 'conversation')
  inHistory(ws, {}, () => {
    setRef(repository, NEXT, commitAt(repository, FETCHED) && FETCHED)
    if (changes.length > 0)
      commitOwn(repository, [{ changes, message: `[sync] ${what}`, who: author(ws) }], NEXT)
  })
  return notJoined({ base, ours: all, theirs }, [...all.conversations].filter(isApart))
}
