import { eraseFetched } from '../../conversation/keeping/erase-history.ts'
import { inHistory } from '../../conversation/keeping/open-history.ts'
import { foldersOfOrigin } from '../../conversation/keeping/whose.ts'
import { MAX_TEXT } from '../../io/inside.ts'
import { KnownSecrets } from '../../redact/known-secrets.ts'
import { RECORD } from '../../store/layout.ts'
import { type Gone, isDeleted, markOf, mayBeUnseen, redactedMark } from '../../store/machine/place.ts'
import { eachContent, versionsBelow, withSizes } from '../../workspace/git/own-repository.ts'
import { FETCHED, JOINED } from '../../workspace/git/place.ts'
import type { Workspace } from '../../workspace/open.ts'
import { redactAsElsewhere, redactedVersions, redactFetched } from '../editing/redact.ts'
import { isSame } from './plan.ts'
import { oursIn, sideIn } from './read-sides.ts'
import type { Sent, Side } from './sides.ts'
import type { Synced } from './synced.ts'

/**
 * Takes out of what was fetched from the place what the place does not know to be deleted or redacted, and redacts here
 * what another machine has redacted. `before` is what this machine knew to be gone, `there` what the place knows, and
 * `now` both together. `others`: the references of the other heads of the place. Returns the origins of the conversations
 * that were redacted elsewhere and not here, because redaction is off here: the next save would bring the secrets back.
 */
export async function eraseBoth(
  ws: Workspace,
  { before, now, there, others }: { before: Gone; now: Gone; there: Gone; others: readonly string[] },
  done: Synced,
): Promise<string[]> {
  const redactThere = redactedSince(now, there)
  const redactHere = redactedSince(now, before)
  const eraseThere = new Set(
    Object.keys(now.deleted)
      .filter(isAhead(now, there, 'deleted'))
      .filter((mark) => isDeleted(now, mark)),
  )
  const notRedacted: string[] = []
  if (redactThere.size + redactHere.size + eraseThere.size === 0) return notRedacted
  const [ours, theirs] = [oursIn(ws), sideIn(ws, FETCHED)]
  const concerned = (side: Side, which: ReadonlySet<string>) =>
    [...side.conversations, ...side.unnamed].filter(([origin]) => which.has(markOf(origin)))
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
    const goes =
      isDeleted(now, markOf(origin)) && isSame(own, shared.get(origin)) && !hasUnseen(ws, now, origin, own)
    if (!redactHere.has(markOf(origin)) || goes) continue
    if (!ws.config.redact) notRedacted.push(origin)
    else {
      const known = new KnownSecrets()
      noteSecrets(ws, known, shared.get(origin), { origin, refs: [FETCHED, ...others] })
      await redactAsElsewhere(ws, path, known)
    }
  }
  return notRedacted
}

/** Whether a version of a conversation has words that the machines may not have had that have deleted it. */
export function hasUnseen(ws: Workspace, gone: Gone, origin: string, { path, files }: Sent): boolean {
  let isUnseen = mayBeUnseen(gone, origin, files)
  // They may have had only what is left of it without secrets.
  const isRedacted = Object.keys(gone.redacted).some((name) => redactedMark(name) === markOf(origin))
  if (isUnseen && isRedacted)
    inHistory(ws, {}, (repository) => {
      isUnseen = mayBeUnseen(gone, origin, redactedVersions(repository, path, files))
    })
  return isUnseen
}

/** Notes the secrets in the documents that both had, and in all versions that these references have of them. */
function noteSecrets(
  ws: Workspace,
  known: KnownSecrets,
  shared: Sent | undefined,
  { origin, refs }: { origin: string; refs: readonly string[] },
): void {
  inHistory(ws, {}, (repository) => {
    const files = [
      ...[...(shared?.files ?? [])].map(([path, blob]) => ({ path: `/${path}`, blob })),
      ...refs.flatMap((ref) => versionsBelow(repository, ref, foldersOfOrigin(repository, ref, origin))),
    ]
    const documents = withSizes(
      repository,
      files.filter(({ path }) => !path.includes(`/${RECORD.folder}/`)),
    )
    for (const [, bytes] of eachContent(
      repository,
      documents.filter(({ size }) => size <= MAX_TEXT),
    ))
      known.add(bytes)
  })
}

/** The marks of the conversations that were redacted according to `one`, but not yet to `other`. */
export function redactedSince(one: Gone, other: Gone): Set<string> {
  return new Set(
    Object.keys(one.redacted)
      .filter(isAhead(one, other, 'redacted'))
      .map(redactedMark),
  )
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
