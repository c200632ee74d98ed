import { writeFileAtomic } from '../../io/atomic-write.ts'
import { MAX_TEXT } from '../../io/inside.ts'
import { readText } from '../../io/regular-file.ts'
import { joinSides } from '../../session/sharing/join-sides.ts'
import { sessionText, tryParse } from './session-file.ts'

/** Three versions of a session.json, as files that git has made for a merge. */
export interface Versions {
  /** The common base of both sides; an empty file when each side has made its own session.json. */
  base: string
  ours: string
  theirs: string
}

/**
 * Merges two versions of a session.json into the file `ours`, which is replaced as a whole. Returns false, and writes
 * nothing, when a version cannot be understood or a newer Cortext wrote it. Throws what files throw.
 */
export function mergeSessionFiles({ base, ours, theirs }: Versions): boolean {
  const [a, b, o] = [ours, theirs, base].map((path) => tryParse(readText(path, MAX_TEXT) ?? ''))
  if (a === undefined || b === undefined) return false
  const text = sessionText(joinSides(a, b, o))
  if (text === undefined) return false
  writeFileAtomic(ours, text, { durable: false })
  return true
}
