import type { ReadReport } from '../../clients/contract/reading.ts'
import type { ReadSegment } from '../../session/reconcile.ts'
import type { Binding, Segment } from '../../store/machine/binding.ts'
import type { CurrentJournal } from '../../store/machine/journal/current-journal.ts'
import type { CurrentSideFiles } from '../../store/machine/journal/side-files.ts'
import type { PublishedSegment } from '../../store/machine/published.ts'
import type { Blobs } from '../../store/record/attachments.ts'

/**
 * The content of a segment as the record gets it: redacted, and with long tool results cut. From `readNewPart` it is only
 * the new part.
 */
export interface SegmentContent {
  read: ReadSegment
  subagents: Record<string, ReadSegment['messages']>
  blobs: Blobs
  report: ReadReport
  /** Bytes of what was said and done, before secrets were replaced and tool results cut. */
  taken: number
  /** Number of secrets that were replaced, by kind. */
  redacted: Record<string, number>
  /** The offset in the journal up to which the segment was read. */
  end: number
  /** Present when more of the segment follows. */
  more?: true
  /** Whether the last turn has ended, so that none of the messages can still grow. */
  settled: boolean
  /**
   * Identifies what was read: it changes when the segment, any byte or any side file changes. Absent if only the new
   * part was read.
   */
  stamp?: string
  /** A stamp for each side file, by its path. */
  sides: Readonly<Record<string, string>>
  nextReadPoint: NextReadPoint
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
  by: NonNullable<Segment['ended_by']>
}

/** A piece of a segment. It is published as if the journal ended where the piece ends. */
export interface SegmentPiece {
  client: string
  nativeId: string
  started_at: string
  /** The byte offset in its journal at which the piece ends. */
  to: number
}

/** How far the segments of a conversation are read. */
export interface Reach {
  ends?: readonly PlannedEnd[] | undefined
  /** Only this piece is read. */
  piece?: SegmentPiece | undefined
  /** About how many bytes a piece has. */
  pieceBytes?: number | undefined
}

export interface NativeFiles {
  journal: CurrentJournal
  sides: CurrentSideFiles
  /** True when more of the segment follows, and only a piece of it is read. */
  more?: boolean
}

/** The point from which a later reading can continue a segment, and the messages that this reading must find there. */
export type NextReadPoint = Pick<PublishedSegment, 'again' | 'seen' | 'open'>

/**
 * Whether a segment can be read from a point in the middle. A pending segment and a segment in a rewritten transcript
 * are read as a whole: earlier messages decide which of their messages belong to the conversation.
 */
export function isSimple({ pending, journal }: Segment): boolean {
  return pending !== true && !/~\d+\.jsonl$/.test(journal)
}

/**
 * Whether the segment is over because its session has ended or was imported. Then prompts in its queue count as never
 * sent.
 */
export function hasEnded({ to, how, ended_by }: Segment): boolean {
  return to !== undefined && (how === 'import' || ended_by === 'session-end')
}

/** Whether the session itself has stopped the conversation. The rest of the turn that does so belongs to nobody. */
export function wasStopped({ how, ended_by }: Segment): boolean {
  return how !== 'import' && ended_by === 'stop'
}
