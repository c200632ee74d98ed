/**
 * The files of a thread. This file is part of the hook bundle: it imports only node's own modules.
 */
/** A rollout: `rollout-<time>-<thread>.jsonl`, or after a rewind `rollout-<time>-<thread>_<file>.jsonl`. */
export interface Rollout {
    path: string;
    thread: string;
    /** The id by which other files name it: that of the thread for its first file. */
    id: string;
}
/** A range of bytes at the begin of a file. */
export interface Part {
    path: string;
    to: number;
}
interface Meta {
    id?: unknown;
    forked_from_id?: unknown;
    history_base?: {
        thread_id?: unknown;
        end_byte_offset?: unknown;
        end_ordinal_exclusive?: unknown;
    };
}
/**
 * What of other files comes before a rollout: what the thread has from other threads, and its own earlier files. A thread
 * of one file has none, and only the file's first line is read. A file that is missing is left out.
 */
export declare function partsBefore(transcript: string): Part[];
/** The file of the thread that was begun last. */
export declare function newestOf(transcript: string): string;
/**
 * The files of one thread in the order in which they were begun. Of several copies of a file it is the longest one, since
 * a file only grows, but for a file that was named.
 */
export declare function filesOf(all: readonly Rollout[], thread: string, named?: string): Rollout[];
/**
 * All rollouts of the store that a file lies in, archived ones too; outside a store, those beside it. Of a store only
 * the days between two, as `daysOf` names them.
 */
export declare function rolloutsAround(transcript: string, from?: string, to?: string): Rollout[];
/**
 * The days around which a rollout was begun, by its id: ids of version 7 begin with the time, and folders are called
 * after the local day. All days where the id is another one.
 */
export declare function daysOf(id: string): {
    from?: string;
    to?: string;
};
export declare const STORES: readonly ['sessions', 'archived_sessions'];
/** The rollouts below a folder, known by their names; in folders of days only those between two. */
export declare function rolloutsIn(folder: string, from?: string, to?: string): Rollout[];
/** What the first line of a file says; undefined when it is none of a rollout. */
export declare function metaOf(path: string): Meta | undefined;
/** The bytes of a file at an offset; fewer if it ends earlier. */
export declare function readAt(path: string, at: number, length: number): Buffer;
export {};
