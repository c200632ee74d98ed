import type { ReadReport } from '../../clients/contract/reading.ts'
import type { ReadSegment } from '../../session/reconcile.ts'
import type { Binding, Segment } from '../../store/machine/binding.ts'
import type { CurrentJournal } from '../../store/machine/journal/current-journal.ts'
import type { CurrentSideFiles } from '../../store/machine/journal/side-files.ts'
import type { PublishedSegment } from '../../store/machine/published.ts'

/**
 * A segment of a native session, read from the journal, redacted and bounded: ready for the record. Where the record
 * holds what was published (`readPublished`), it has only what comes after that.
 */
export interface SegmentContent {
  read: ReadSegment
  subagents: Record<string, ReadSegment['messages']>
  blobs: Map<string, Uint8Array>
  report: ReadReport
  /** Bytes of what was said and done, as it was read: nothing replaced or cut yet. */
  taken: number
  /** How many secrets were replaced, by kind. */
  redacted: Record<string, number>
  /** The offset in the journal up to which it was read. */
  end: number
  settled: boolean
  /**
   * Identifies what was read: it changes when the segment, any byte or any side file changes. Absent where only the end
   * was read.
   */
  stamp?: string
  /** A stamp for each side file, by its path. */
  sides: Readonly<Record<string, string>>
  /** From where it can be read on later. */
  known: Known
}

export interface BoundSegment {
  binding: Binding
  segment: Segment
  content: SegmentContent
}

/** The offset at which a native session's live segment is about to end. */
export interface PlannedEnd {
  client: string
  nativeId: string
  /** The byte offset in its journal. */
  to: number
}

export interface NativeFiles {
  journal: CurrentJournal
  sides: CurrentSideFiles
}

/** From where a segment can be read on later, and what a reader must find there. */
export type Known = Pick<PublishedSegment, 'again' | 'seen' | 'open'>

/** The known contents of the record: how far each segment is in it, and which ids. */
export interface Marked {
  segments: readonly PublishedSegment[]
  held: { has(id: string): boolean }
}

/** A segment that a resume began, or a client rewrote, is read as a whole, because its meaning depends on what came before. */
export function isSimple({ pending, journal }: Segment): boolean {
  return pending !== true && !/~\d+\.jsonl$/.test(journal)
}

/** Whether the client has ended, as far as this machine knows. It does not come back to what waits in its queue. */
export function hasEnded({ to, how, ended_by }: Segment): boolean {
  return to !== undefined && (how === 'import' || ended_by === 'session-end')
}
