import { type Fields } from './fields.ts';
/** One line of a transcript, with its line break. */
export interface Line {
    /** Counted from 0, in the whole transcript. */
    readonly number: number;
    /**
     * The place in the talk: the line's number, except for a line that was written too late
     * (claude/read/message-order.ts).
     */
    readonly seq: number;
    /** Byte offset in the whole transcript. */
    readonly start: number;
    readonly bytes: Uint8Array;
    readonly content: {
        readonly kind: 'record';
        readonly record: Fields;
    } | {
        readonly kind: 'blank';
    }
    /** The line is JSON but not an object. */
     | {
        readonly kind: 'value';
        readonly value: unknown;
    }
    /** The line is not JSON: it is damaged, or it is the last line and is still being written. */
     | {
        readonly kind: 'unreadable';
    };
}
/**
 * Splits the segment from `from` (included) to `to` (excluded), in byte offsets, into lines. A segment may begin and
 * end anywhere; every byte of it is in exactly one line. `first` is the number of the line with which the bytes begin.
 */
export declare function splitLines(bytes: Uint8Array, from?: number, to?: number, first?: number): Line[];
/** Returns the same bytes, without copying, as a Buffer, which can be searched. */
export declare function bufferOf(bytes: Uint8Array): Buffer;
