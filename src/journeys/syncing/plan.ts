import { apartPath } from '../../session/sharing/apart.ts'
import { byAge } from '../../session/sharing/join-sides.ts'
import { RECORD } from '../../store/layout.ts'
import { type Gone, isDeleted, markOf } from '../../store/machine/place.ts'
import { foldersAbove } from './names.ts'
import type { Sent, Sides } from './sides.ts'

/** What this machine does with a conversation that the place has in another version. */
export type Step =
  /** It is new here, or has changed on one or both sides. `path` is its folder afterwards. */
  | { do: 'take' | 'join'; origin: string; path: string; base?: Sent; ours?: Sent; theirs: Sent }
  /** It leaves its folder, because an older conversation has the same name at the place. */
  | { do: 'move'; origin: string; path: string; ours: Sent }
  /** Another machine has deleted it. */
  | { do: 'delete'; origin: string; ours: Sent }
  /**
   * Another machine has deleted it, but this one has changes of it that were never sent: words, or only its metadata.
   * After the sync that asked first, what both had is no longer known.
   */
  | { do: 'ask'; origin: string; ours: Sent; changed: 'words' | 'metadata' | 'unknown' }
  /** It would come into the folder of another conversation, or would have another one in its folder. */
  | { do: 'leave'; origin: string; path: string }

export type Coming = Extract<Step, { do: 'take' | 'join' }>

/**
 * Says how what this machine has becomes what it and the place have together. `base` is what both had when they were
 * joined last. Moves come first, then what is deleted, and then the rest. Only a mark (`Gone`) deletes anything: what is
 * merely missing on one side comes back from the other, as after somebody has put the place back to an earlier state.
 * `unsaved`: the paths of conversations that may have more than the last save has.
 */
export function planJoin(
  { base, ours, theirs }: Sides,
  gone: Gone,
  unsaved: ReadonlySet<string | undefined> = new Set(),
): Step[] {
  const isGone = (origin: string) => isDeleted(gone, markOf(origin))
  const paths = new Map([...ours.conversations].map(([origin, { path }]) => [path, origin]))
  const all = [ours, theirs].flatMap(({ conversations }) => [...conversations.values()])
  const outer = new Set(all.flatMap(({ path }) => foldersAbove(path)))
  const isNested = (path: string) => outer.has(path) || foldersAbove(path).some((one) => paths.has(one))
  const [moves, deletes, others]: [Step[], Step[], Step[]] = [[], [], []]
  for (const [origin, own] of ours.conversations) {
    if (!isGone(origin) || isKeptHere(own)) continue
    const before = base.conversations.get(origin)
    const isUnsaved = unsaved.has(own.path)
    if (before === undefined || !isSame(before, own) || isUnsaved) {
      const changed = isUnsaved ? 'words' : whatChanged(own, before)
      deletes.push({ do: 'ask', origin, ours: own, changed })
      continue
    }
    deletes.push({ do: 'delete', origin, ours: own })
    paths.delete(own.path)
  }
  const here = new Map(ours.conversations)
  const wantedThere = new Set([...theirs.conversations.values()].map(({ path }) => path))
  // Another machine has given this one the other name, because an older one has its name, which may come with it.
  for (const [origin, own] of ours.conversations) {
    const apart = apartPath(own.path, origin)
    const isMoved = theirs.conversations.get(origin)?.path === apart
    if (!isMoved || !wantedThere.has(own.path) || isGone(origin) || isKeptHere(own) || paths.has(apart))
      continue
    moves.push({ do: 'move', origin, path: apart, ours: own })
    paths.delete(own.path)
    paths.set(apart, origin)
    here.set(origin, { ...own, path: apart })
  }
  for (const [origin, their] of theirs.conversations) {
    const [before, own] = [base.conversations.get(origin), here.get(origin)]
    if (isGone(origin) || isKeptHere(own)) continue
    if (own !== undefined && (isSame(their, own) || isSame(their, before))) continue
    const wanted = own === undefined || own.path === before?.path ? their.path : own.path
    if (wanted !== own?.path && isNested(wanted)) {
      others.push({ do: 'leave', origin, path: wanted })
      continue
    }
    const other = paths.get(wanted)
    let path = wanted
    if (other !== undefined && other !== origin) {
      const rival = here.get(other)
      // Both machines give the younger one the same other name. Of one that is kept here, they know nothing.
      if (
        rival !== undefined &&
        !theirs.conversations.has(other) &&
        (isKeptHere(rival) || byAge(their.session, rival.session) < 0)
      ) {
        const apart = apartPath(wanted, other)
        moves.push({ do: 'move', origin: other, path: apart, ours: rival })
        paths.set(apart, other)
      } else path = apartPath(wanted, origin)
    }
    paths.set(path, origin)
    // What is missing here was not removed here, so it is not joined with what both had.
    if (own === undefined) others.push({ do: 'take', origin, path, theirs: their })
    else others.push({ do: 'join', origin, path, ...(before && { base: before }), ours: own, theirs: their })
  }
  return [...moves, ...deletes, ...others]
}

/** Whether this machine neither sends a conversation nor takes what the place has of it. */
export function isKeptHere(one: Sent | undefined): boolean {
  return one?.session.keep_here === true
}

/** Whether more is different than the metadata, such as a title, and the name of the folder after it. */
function whatChanged(own: Sent, before: Sent | undefined): 'words' | 'metadata' | 'unknown' {
  if (before === undefined) return 'unknown'
  const isOther = ([name, blob]: [string, string]) =>
    name !== RECORD.session && before.files.get(name) !== blob
  return [...own.files].some(isOther) ? 'words' : 'metadata'
}

export function isSame(a: Sent, b: Sent | undefined): boolean {
  return (
    a.path === b?.path &&
    a.files.size === b.files.size &&
    [...a.files].every(([name, blob]) => b.files.get(name) === blob)
  )
}
