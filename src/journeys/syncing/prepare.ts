import { author, inHistory } from '../../conversation/keeping/open-history.ts'
import type { Gone } from '../../store/machine/place.ts'
import { countOf } from '../../text/count-of.ts'
import {
  commitAt,
  commitOwn,
  type OwnChange,
  type OwnRepository,
} from '../../workspace/git/own-repository.ts'
import { FETCHED, JOINED, NEXT, sentMessage, setRef } from '../../workspace/git/place.ts'
import type { Workspace } from '../../workspace/open.ts'
import { isKeptHere, isSame } from './plan.ts'
import { sideIn, sidesOf } from './read-sides.ts'
import { isPersons } from './receive-settings.ts'
import { changesToSend, notJoined } from './send.ts'
import type { Sent } from './sides.ts'

export interface Prepared {
  /** The paths of the conversations that the place does not have as they are here. */
  sent: string[]
  /** Those of the person's settings. */
  settings: string[]
  /**
   * What is different in the reference of what is joined, because of conversations that stay apart: this machine does
   * not have what the place has of them.
   */
  apart: OwnChange[]
}

/**
 * Makes the commit that is sent, `NEXT`, on top of `FETCHED`, or of the one that an earlier head of the place has got.
 * What is `left` does not go.
 */
export function prepare(
  ws: Workspace,
  repository: OwnRepository,
  left: ReadonlySet<string>,
  gone: Gone,
): Prepared {
  const sides = sidesOf(ws)
  const isApart = ([origin, one]: [string, Sent]) => left.has(origin) || isKeptHere(one)
  const all = [...sides.ours.conversations]
  const ours = { ...sides.ours, conversations: new Map(all.filter((one) => !isApart(one))) }
  const isFirst = commitAt(repository, NEXT) === undefined
  const before = isFirst ? sides.theirs : sideIn(ws, NEXT, sides.ours)
  const changes = changesToSend({ ...sides, ours, theirs: before }, gone)
  const isNews = ([origin, one]: [string, Sent]) =>
    [before, sides.theirs].every((side) => !isSame(one, side.conversations.get(origin)))
  const sent = [...ours.conversations].filter(isNews).map(([, { path }]) => path)
  const settings = [...new Set([...sides.base.settings.keys(), ...ours.settings.keys()])].filter(
    (path) =>
      isPersons(path) &&
      [before, sides.theirs].every((side) => side.settings.get(path) !== ours.settings.get(path)),
  )
  const what = sent.length === 0 ? 'up to date' : countOf(sent.length, 'conversation')
  inHistory(ws, {}, () => {
    if (isFirst) setRef(repository, NEXT, commitAt(repository, FETCHED) && FETCHED)
    if (changes.length > 0)
      commitOwn(repository, [{ changes, message: sentMessage(what), who: author(ws) }], NEXT)
  })
  const apart = [...all.filter(isApart).map(([origin]) => origin), ...sides.ours.unnamed.keys()]
  return { sent, settings, apart: notJoined({ ...sides, base: sideIn(ws, JOINED, sides.ours) }, apart) }
}
