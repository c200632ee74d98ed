import type { Writing } from './files.ts'

/**
 * Where a person's conversations are kept too, for one project. `openPlace` makes one for each look at it. It works with
 * three references of the conversations' own repository (git/place.ts): `FETCHED`, what the place has; `JOINED`, what this
 * machine and the place had both after the last sync; `NEXT`, what is to be sent.
 */
export interface Place {
  /** A text that is another one whenever something else is there. Undefined: nothing of the project is there. */
  state: () => Promise<string | undefined>
  /**
   * The commits that are there, to be joined one after the other. Two machines that have sent at the same moment may
   * have made two; no head includes another one.
   */
  heads: () => Promise<Head[]>
  /** Fetches this head, if it is not here yet, and sets `FETCHED` to it. */
  take: (head: Head) => Promise<void>
  /**
   * Whether `FETCHED`, which is this head, has grown out of `JOINED`. Otherwise somebody has put the place back to an
   * earlier state. A commit of `JOINED` that changed only folders that are `deleted` now may be missing: it was erased.
   */
  includesJoined: (head: Head, deleted: readonly string[]) => boolean
  /**
   * Sends `NEXT` if no head has all of it already. `NEXT` has all that these heads have, so it replaces them, and what is
   * not needed any more is removed. With `isAnew` nothing of what was there is left. Returns the name of the only head
   * that is there then, and the state; undefined if another machine has sent meanwhile.
   */
  send: (heads: readonly Head[], how: Writing) => Promise<Sent | undefined>
  /** Files that were left alone, with the reason. `heads` finds them. */
  readonly unread: Unread[]
}

interface Sent {
  name: string | undefined
  state: string | undefined
}

export interface Head {
  name: string
  commit: string
}

export interface Unread {
  file: string
  /** What is wrong with it; `INCOMPLETE` if a service may still be copying it. */
  problem: string
}

/** What this machine knows of a place. */
export interface Whereabouts {
  address: string
  /** The name of the project. */
  branch: string
  /** Absent: a git repository. */
  kind?: Kind
  /** All that is there is sealed. This is the name of the project's folder or branch there. */
  sealed?: string
  /** The name of the head that was joined last. */
  joined?: string
}

/** `folder`: a plain folder, which a service may copy in its own time. */
export type Kind = 'folder'

/** The problem of a file that a service may still be copying. */
export const INCOMPLETE = 'incomplete'
