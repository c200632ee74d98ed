import type { Message } from '../../session/schema.ts';
import type { Problem } from './problem.ts';
export interface RecordRead {
    /** The lines of messages.jsonl, in file order, without pruned lines. */
    lines: Message[];
    /** Every message of messages.jsonl, pruned or not, and in `places` the line of each, 0-based. */
    all: Message[];
    places: number[];
    /**
     * The pruned lines, by id. They lie in archive files, even if a merge has brought some of them back to
     * messages.jsonl.
     */
    pruned: ReadonlyMap<string, Message>;
    problems: Problem[];
    /** Identifies the files as they were read. It changes with every write to one of them. */
    stamp: string;
    /** The lines of messages.jsonl as they lie there. They are kept only for whoever moves or copies lines. */
    raw?: readonly Buffer[];
}
/**
 * Reads the messages of a conversation folder. A line counts as pruned when an archive file holds its id and
 * messages.jsonl holds the event that names this file. A file that no event names is left over from a prune or a
 * restore that crashed; messages.jsonl has all of its lines. If the files are still those that `known` was read from,
 * it is returned without reading. `keepRaw` keeps the lines as they lie there, of the same read. Throws `unreadable` or
 * `unsafe-path`.
 */
export declare function readRecord(folder: string, known?: RecordRead, keepRaw?: boolean): RecordRead;
/** Every message of messages.jsonl with its line there. A message can have several lines. */
export declare function placedIn({ all, places }: RecordRead): {
    message: Message;
    place: number;
}[];
/** The record after our own write, without reading: `raw` is what messages.jsonl holds now. */
export declare function rewrittenRecord(folder: string, raw: readonly Buffer[], pruned: ReadonlyMap<string, Message>): RecordRead;
/** The lines of messages.jsonl as they lie there, where they are kept and its files have not changed since. */
export declare function keptRaw(folder: string, { raw, stamp }: RecordRead): readonly Buffer[] | undefined;
/** Identifies everything that publishing writes into a conversation folder, as it is now, except session.json. */
export declare function publishedStamp(folder: string): string;
/** Identifies the files of a record as they are now. */
export declare function recordStamp(folder: string): string;
