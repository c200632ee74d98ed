/** Something unexpected in a file of the record. It stays in place and is reported by path and line. */
export interface Problem {
  path: string
  /** 1-based. */
  line: number
  kind: ProblemKind
  /** The length of an odd line in bytes, with its line break; 0 for problems that are not in a line. */
  bytes: number
  /** Number of further problems of this kind in the file. They are not listed: a stranger's file may have millions. */
  more?: number
}

/** At most this many problems of one kind are listed for a file. */
export const MAX_LISTED = 20

export type ProblemKind =
  /** The last line, which a crash cut off. The next append leaves it as it is and starts a fresh line. */
  | 'torn'
  | 'not-json'
  /** Not a message: a required key is missing or has another type, or the line is nested too deeply. */
  | 'not-a-message'
  /** A line that git wrote; the lines of both sides are read. */
  | 'conflict-marker'
  /** session.json cannot be read. Its contents are derived again, and the next write sets the broken file aside. */
  | 'broken-session'
  /** A `pruned` event names an archive file that is not here: git ignores it, or it was removed. */
  | 'archive-missing'
  /** A file in summaries/ that cannot be read; it is not used, and may be deleted. */
  | 'broken-summary'
  /** This kind and `crlf` lose no data. Each is noted once for each file, where it first occurs. */
  | 'byte-order-mark'
  | 'crlf'

/** Whether the problem is a line that cannot be read as a message. */
export function isUnreadable({ kind }: Problem): boolean {
  return kind === 'torn' || kind === 'not-json' || kind === 'not-a-message'
}

/** `<<<<<<< ours`, `||||||| base`, `=======`, `>>>>>>> theirs` */
export function isConflictMarker(line: string): boolean {
  return /^(?:<{7}|\|{7}|>{7})(?: |$)|^={7}$/.test(line)
}
