/** Something in a file of the record that is not as written; it is kept in place, and told by path and line. */
export interface Problem {
  path: string
  /** 1-based. */
  line: number
  kind: ProblemKind
  /** Length of the line, its break included. */
  bytes: number
}

export type ProblemKind =
  /** The last line, cut by a crash. The next append leaves it and starts a fresh line. */
  | 'torn'
  | 'not-json'
  /** JSON, but no message: a required key is missing or has another type. */
  | 'not-a-message'
  /** A line that git wrote; the lines of both sides are read. */
  | 'conflict-marker'
  /** session.json cannot be read; what it said is derived anew, its bytes are set aside at the next write. */
  | 'broken-session'
  /** A `pruned` event names an archive that is not here: git was told to leave it out, or somebody removed it. */
  | 'archive-missing'
  /** A file in summaries/ that cannot be read; it is not used, and may be deleted. */
  | 'broken-summary'
  /** Nothing is lost by these two; noted once a file, where they first occur. */
  | 'byte-order-mark'
  | 'crlf'

/** Whether a line was not understood; the others are only oddities. */
export function isUnreadable({ kind }: Problem): boolean {
  return kind === 'torn' || kind === 'not-json' || kind === 'not-a-message'
}

/** `<<<<<<< ours`, `||||||| base`, `=======`, `>>>>>>> theirs` */
export function isConflictMarker(line: string): boolean {
  return /^(?:<{7}|\|{7}|>{7})(?: |$)|^={7}$/.test(line)
}
