import { eraseFetched } from '../../conversation/keeping/erase-history.ts'
import { type Gone, isDeleted, joinGone, markOf, type PlaceNote } from '../../store/machine/place.ts'
import type { OwnRepository } from '../../workspace/git/own-repository.ts'
import type { Workspace } from '../../workspace/open.ts'
import { redactHistory, redactRecord } from '../editing/redact.ts'
import { sidesOf } from './read-sides.ts'
import type { Side } from './sides.ts'
import type { Synced } from './synced.ts'

/**
 * Takes out of the history of the place what was deleted or redacted here, and redacts here what was redacted on another
 * machine. Returns whether the place's history may have changed.
 */
export async function eraseBoth(
  ws: Workspace,
  repository: OwnRepository,
  { place, news }: { place: PlaceNote; news: Gone },
  done: Synced,
): Promise<boolean> {
  const marks = Object.keys(joinGone(place, news).redacted)
  const toRedact = new Set(marks.filter(isAhead(place, news, 'redacted')))
  const redacted = new Set(marks.filter(isAhead(news, place, 'redacted')))
  const toDelete = new Set(
    Object.keys(place.deleted)
      .filter(isAhead(place, news, 'deleted'))
      .filter((mark) => isDeleted(place, mark)),
  )
  if (toRedact.size + redacted.size + toDelete.size === 0) return false
  const { ours, theirs } = sidesOf(ws, repository)
  const concerned = (side: Side, which: ReadonlySet<string>) =>
    [...side.conversations].filter(([origin]) => which.has(markOf(origin))).map(([, { path }]) => path)
  for (const path of concerned(theirs, toDelete)) eraseFetched(ws, path)
  done.erased.push(...concerned(theirs, toDelete), ...concerned(theirs, toRedact))
  for (const path of concerned(ours, redacted)) await redactRecord(ws, path, { isNews: false })
  for (const path of concerned(ours, toRedact)) redactHistory(ws, path)
  return toRedact.size + toDelete.size > 0
}

/** Whether `one` says of some conversation that it is gone, and `other` does not know it. */
export function knowsMore(one: Gone, other: Gone): boolean {
  return (['deleted', 'redacted'] as const).some((what) =>
    Object.keys(one[what]).some(isAhead(one, other, what)),
  )
}

function isAhead(one: Gone, other: Gone, what: keyof Gone): (mark: string) => boolean {
  return (mark) => (one[what][mark] ?? 0) > (other[what][mark] ?? 0)
}
