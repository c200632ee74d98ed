import type { Message } from '../../session/schema.ts';
import { type PublishedSegment } from '../../store/machine/published.ts';
import type { Workspace } from '../../workspace/open.ts';
import { type BoundSegment, type Known, type Marked, type NativeFiles, type SegmentContent } from './segment-content.ts';
/**
 * Reads what a segment holds beyond what was published of it, from an earlier turn on. Undefined when only a reading of
 * all of it can tell: when the turns that were published read otherwise now, and when something new leans on what was
 * said before them (a rewind, a compaction, an answer or a subagent of an earlier turn).
 */
export declare function readTail(ws: Workspace, { binding: { client, native_id: nativeId }, segment }: Omit<BoundSegment, 'content'>, { journal, sides }: NativeFiles, { held, ...marked }: PublishedSegment & Pick<Marked, 'held'>): SegmentContent | undefined;
/**
 * Where the next reading can begin, for a segment whose end reads as `messages`: `bytes` lie at the offset `at` and begin
 * with the line `line`. A short talk is read as a whole again.
 */
export declare function againIn({ bytes, at, line }: {
    bytes: Uint8Array;
    at: number;
    line: number;
}, messages: readonly Message[], settled: boolean): Known;
/** What is known of a segment once all that was read of it is published. */
export declare function publishedSegment({ binding, segment, content }: BoundSegment): PublishedSegment;
