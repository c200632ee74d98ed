/** The two ends of a file that is not read whole. `head` and `tail` do not overlap. */
export interface FileEnds {
    path: string;
    bytes: number;
    lastActive: Date;
    head: Uint8Array;
    tail: Uint8Array;
}
/**
 * Reads the first 64 KiB (or `most` bytes) and the last 16 KiB of a transcript. Undefined when it is gone or
 * unreadable.
 */
export declare function readEnds(path: string, most?: number): FileEnds | undefined;
