/**
 * This file is part of the hook bundle: it imports only node's own modules. It copies a growing file by positions,
 * without a lock.
 */
/** Opens a regular file to read; undefined when there is none. The caller closes it. */
export declare function openRegular(path: string, flags?: number): number | undefined;
/** A range of bytes at the begin of a file. */
export interface Part {
    path: string;
    to: number;
}
/** Bytes that are copied: those of one file, or of parts of several as if they were one. */
export interface Source {
    readonly size: number;
    read(at: number, length: number): Buffer;
    close(): void;
}
/** A regular file behind parts of others; undefined when there is no such file. The caller closes it. */
export declare function openSource(path: string, before?: readonly Part[], flags?: number): Source | undefined;
/** The size of the file at `path` in bytes; undefined when there is none. */
export declare function sizeOf(path: string): number | undefined;
/**
 * Whether `source` goes on where the copy's `size` bytes end. The last 4 KiB of the copy
 * decide. A BLANK in the copy stands for any byte, because `delete` wrote it there (blank-journal.ts).
 */
export declare function continuesCopy(source: Source, copy: string, size: number): boolean;
/**
 * Copies the bytes `from`..`end` of `source` to the same offsets of the file `target`, and fsyncs it. A missing file is
 * made with mode 0600. Returns where the copy ends; that is before `end` when the source was shortened meanwhile.
 */
export declare function copyRange(source: Source, target: string, from: number, end?: number): number;
/** No UTF-8 text holds this byte. A lost write does not leave it either, as it may leave zeros. */
export declare const BLANK = 255;
/** The bytes of an open file at an offset; fewer if the file ends earlier. */
export declare function readAt(fd: number, at: number, length: number): Buffer;
