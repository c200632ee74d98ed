/** Where a person's conversations are kept too, for one project. `openPlace` makes one for each look at it. */
export interface Place {
  /** A text that is another one whenever something else is there. Undefined: nothing of the project is there. */
  state: () => Promise<string | undefined>
  /**
   * The commits that are there, to be joined one after the other. Two machines that have sent at the same moment may
   * have made two; no head includes another one.
   */
  heads: () => Promise<Head[]>
  /** Lets `FETCHED` be a head. */
  take: (head: Head) => Promise<void>
  /** Whether what is in `FETCHED`, the head, has grown out of what was joined last (`JOINED`). */
  includesJoined: (head: Head) => boolean
  /**
   * Sends `NEXT`, which has all that these heads have, if they do not have it already, and returns the name of the only
   * head that is there then. With `erases`, `NEXT` does not grow out of them. Returns undefined if another machine has
   * sent meanwhile.
   */
  send: (heads: readonly Head[], erases: boolean) => Promise<{ name: string | undefined } | undefined>
  /** Removes what is not needed any more; where something was erased, all that is left of it. Returns the state. */
  tidy: (erases: boolean) => string | undefined
  /** Files that were left alone, with the reason. `heads` finds them. */
  readonly unread: Unread[]
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
  branch: string
  /** Absent: a git repository. */
  kind?: Kind
  /** The name of the head that was joined last. */
  joined?: string
}

/** `folder`: a plain folder, which a service may copy in its own time. */
export type Kind = 'folder'

/** The problem of a file that a service may still be copying. */
export const INCOMPLETE = 'incomplete'
