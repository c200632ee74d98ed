import type { Message } from '../../session/schema.ts';
export interface Bounds {
    /** `full`: all of a tool result. A number: its most bytes. `metadata`: none of it. */
    toolOutput: 'full' | 'metadata' | number;
    /** The most bytes that any tool result takes in a line. */
    inline: number;
}
/**
 * Cuts tool results that are too long for a line: head and tail stay around a marker that gives the full size and the
 * hash. The result is no longer than the bound, unless the bound is shorter than the marker. Where `toolOutput` allows
 * the whole, it goes to `blobs` (→ `attachments/`). What people and agents said is never cut.
 */
export declare function boundContents(messages: readonly Message[], bounds: Bounds, blobs: Map<string, Uint8Array>): Message[];
