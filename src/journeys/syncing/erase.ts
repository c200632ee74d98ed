import { eraseFetched } from '../../conversation/keeping/erase-history.ts'
import { inHistory } from '../../conversation/keeping/open-history.ts'
import { foldersOfOrigin } from '../../conversation/keeping/whose.ts'
import { RECORD } from '../../store/layout.ts'
import { type Gone, isDeleted, markOf, redactedMark } from '../../store/machine/place.ts'
import { BRANCH, contentsOf, type OwnRepository, versionsBelow } from '../../workspace/git/own-repository.ts'
import { FETCHED, JOINED } from '../../workspace/git/place.ts'
import type { Workspace } from '../../workspace/open.ts'
import { redactAsElsewhere, redactFetched } from '../editing/redact.ts'
import { isSame } from './plan.ts'
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
  for (const [origin, { path }] of concerned(theirs, redactThere)) redactFetched(ws, path, origin)
  // The documents as both machines had them, and all that were at the place: see redactAsElsewhere.
  const shared = sideIn(ws, JOINED).conversations
  for (const [origin, own] of ours.conversations) {
    const { path } = own
    // What is about to be deleted must be as it was sent, or the person would be asked.
    const goes = isDeleted(now, markOf(origin)) && isSame(own, shared.get(origin))
    if (redactHere.has(markOf(origin)) && !goes) {
      const versions = [...documentsOf(ws, shared.get(origin)), ...documentsAt(ws, FETCHED, origin)]
      await redactAsElsewhere(ws, path, versions)
    }
  }
}

/** The contents of a conversation's files that are not in its record. */
function documentsOf(ws: Workspace, one: Sent | undefined): Buffer[] {
  const files = [...(one?.files ?? [])]
    .filter(([name]) => !name.startsWith(`${RECORD.folder}/`))
    .map(([path, blob]) => ({ path, blob }))
  return contentsIn(ws, () => files)
}

/** The same of all versions that the history of a reference has of them. */
function documentsAt(ws: Workspace, ref: string, origin: string): Buffer[] {
  return contentsIn(ws, (repository) =>
    versionsBelow(repository, ref, foldersOfOrigin(repository, ref, origin)).filter(
      ({ path }) => !path.includes(`/${RECORD.folder}/`),
    ),
  )
}

function contentsIn(
  ws: Workspace,
  filesIn: (repository: OwnRepository) => { path: string; blob: string }[],
): Buffer[] {
  const contents: Buffer[] = []
  inHistory(ws, {}, (repository) => {
    for (const bytes of contentsOf(repository, filesIn(repository))) contents.push(bytes)
  })
  return contents
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
