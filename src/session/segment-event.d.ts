import type { Message } from './schema.ts';
/** How a segment of a native session came to belong to a conversation. */
export interface SegmentBegin {
    client: string;
    nativeId: string;
    /** The native id of the segment's first record, which makes the event the same on every machine. */
    from: string | undefined;
    startedAt: string;
    how: 'start' | 'resume' | 'adopt' | 'import';
    cleared?: boolean | undefined;
}
/**
 * The line that marks where a segment begins; it goes before the segment's first message. A segment without messages
 * has no such line.
 */
export declare function segmentEvent(begin: SegmentBegin, messages: readonly Message[]): Message[];
