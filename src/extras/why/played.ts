import type { BlamedCommit, Touching } from '../../workspace/git/blame.ts'
import { type Replayed, replay } from './replay.ts'
import type { Writing } from './writings.ts'

/** What became of a file between two commits, or since the last one. */
export interface Step {
  before: readonly string[]
  lines: readonly string[]
  /** In ms. */
  since: number
  /** Undefined for what is not committed. */
  commit?: BlamedCommit
}

/** A commit's time has whole seconds, and is taken before the commit is whole. */
const SLACK = 2000

/**
 * Plays the edits of a step. Those of the last moments may have been made before the commit or after it: as many of them
 * are taken as make the file most like the committed one, and no more. `made` is what comes out. `others` are the edits
 * that had no part in it, the newest first.
 */
export function played(steps: readonly Writing[], { before, lines, since, commit }: Step) {
  const until = commit?.time ?? Number.POSITIVE_INFINITY
  const sure = steps.filter(({ place }) => place.time < until).length
  const past = steps.filter(({ place }) => place.time < until + SLACK)
  const ways = Array.from({ length: past.length - sure + 1 }, (_, more) => {
    const edits = past.slice(0, sure + more).filter(({ place }) => place.time >= since)
    return { edits, ...replay(before, edits, lines) }
  })
  const { by, made, edits, loose } = ways.reduce((best, way) => (isMoreLike(way, best) ? way : best))
  const played = new Set(edits)
  for (const edit of loose) played.delete(edit)
  return { by, made, others: past.filter((edit) => !played.has(edit)).reverse() }
}

/** Lines that a person has changed behind an edit say nothing against it, as long as others stand there. */
function isMoreLike(one: Replayed<Writing>, other: Replayed<Writing>): boolean {
  return one.like === other.like ? one.unlike < other.unlike : one.like > other.like
}

/** When the last change was made; a rebase makes commits anew, and keeps that time. */
export function newest(touching: readonly Touching[]): number {
  return touching.reduce((last, { authored, time }) => Math.max(last, Math.min(authored, time)), 0)
}
