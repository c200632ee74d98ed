import { type Stats } from 'node:fs';
/** Keeps what was read from many small files, so that the next time a `stat` of each is enough. */
export interface FileIndex<T> {
    /** The value of the file `key`, which has these stats now: from the index, or by `read`. Ask once for each key. */
    look(key: string, stats: Stats, read: () => T): T;
    /** Writes the index if it changed. Keys that were not looked at since it was opened are removed. */
    save(): void;
}
/**
 * Opens a cache that is never wrong. A file counts as unchanged when its modification and change times, size and inode
 * are the same. Only a file that had been still for two seconds when it was read is indexed, because a later write in
 * the same tick of the clock would not show. The index may be deleted at any time; a broken one counts as empty.
 * `makers` are the functions that make the values. When one of them changes, all files are read again.
 */
export declare function openFileIndex<T>(local: string, path: string, makers: readonly Maker[]): FileIndex<T>;
/**
 * Removes every row that contains `word`. A new index is written in any case, so that a process that opened the old one
 * does not save it and bring the word back.
 */
export declare function forgetInIndex(local: string, path: string, word: string): void;
type Maker = (...args: never[]) => unknown;
export {};
