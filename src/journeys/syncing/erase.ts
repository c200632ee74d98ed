import { eraseFetched } from '../../conversation/keeping/erase-history.ts'
import { inHistory } from '../../conversation/keeping/open-history.ts'
import { RECORD } from '../../store/layout.ts'
import { type Gone, isDeleted, markOf, redactedMark } from '../../store/machine/place.ts'
import { BRANCH, contentsOf } from '../../workspace/git/own-repository.ts'
import { FETCHED, JOINED } from '../../workspace/git/place.ts'
import type { Workspace } from '../../workspace/open.ts'
import { redactAsElsewhere, redactFetched } from '../editing/redact.ts'
import { sideIn } from './read-sides.ts'
import type { Sent, Side } from './sides.ts'
import type { Synced } from './synced.ts'

/**
 * Takes out of what was fetched from the place what the place does not know to be deleted or redacted, and redacts here
 * what another machine has redacted. `before` is what this machine knew to be gone, `there` what the place knows, and
 * `now` both together.
 */
export async function eraseBoth(
  ws: Workspace,
  { before, now, there }: { before: Gone; now: Gone; there: Gone },
  done: Synced,
): Promise<void> {
  const names = Object.keys(now.redacted)
  const redactThere = new Set(names.filter(isAhead(now, there, 'redacted')).map(redactedMark))
  const redactHere = new Set(names.filter(isAhead(now, before, 'redacted')).map(redactedMark))
  const eraseThere = new Set(
    Object.keys(now.deleted)
      .filter(isAhead(now, there, 'deleted'))
      .filter((mark) => isDeleted(now, mark)),
  )
  if (redactThere.size + redactHere.size + eraseThere.size === 0) return
  const [ours, theirs] = [BRANCH, FETCHED].map((ref) => sideIn(ws, ref)) as [Side, Side]
  const concerned = (side: Side, which: ReadonlySet<string>) =>
    [...side.conversations].filter(([origin]) => which.has(markOf(origin)))
  const pathsOf = (some: ReturnType<typeof concerned>) => some.map(([, { path }]) => path)
  for (const [origin, { path }] of concerned(theirs, eraseThere)) eraseFetched(ws, path, origin)
  done.erased.push(...pathsOf(concerned(theirs, eraseThere)))
  done.redacted.push(...pathsOf(concerned(theirs, redactThere)))
  // The documents as both machines had them: see redactAsElsewhere.
  const shared = sideIn(ws, JOINED).conversations
  for (const [origin, { path }] of ours.conversations)
    if (redactHere.has(markOf(origin))) await redactAsElsewhere(ws, path, documentsOf(ws, shared.get(origin)))
  for (const [origin, { path }] of concerned(theirs, redactThere)) redactFetched(ws, path, origin)
}

/** The files of a conversation that are not in its record, by their names below its folder. */
function documentsOf(ws: Workspace, one: Sent | undefined): Map<string, Buffer> {
  const files = [...(one?.files ?? [])]
    .filter(([name]) => !name.startsWith(`${RECORD.folder}/`))
    .map(([path, blob]) => ({ path, blob }))
  const documents = new Map<string, Buffer>()
  inHistory(ws, {}, (repository) => {
    for (const [at, bytes] of contentsOf(repository, files).entries()) documents.set(files[at]!.path, bytes)
  })
  return documents
}

/**
 * Whether what knows only of `one` may still have something that is gone, or secrets that were redacted, or is sealed for
 * others.
 */
export function isBehind(one: Gone, all: Gone): boolean {
  return (
    Object.keys(all.redacted).some(isAhead(all, one, 'redacted')) ||
    Object.keys(all.readers).some(isAhead(all, one, 'readers')) ||
    Object.keys(all.deleted).some((mark) => isAhead(all, one, 'deleted')(mark) && isDeleted(all, mark))
  )
}

function isAhead(one: Gone, other: Gone, what: keyof Gone): (mark: string) => boolean {
  return (mark) => (one[what][mark] ?? 0) > (other[what][mark] ?? 0)
}
