import { type Part, type Source } from './copy-bytes.ts';
/** This file is part of the hook bundle: it imports only node's own modules. */
/** A transcript, and the journal that it is copied to. */
export interface Copying {
    transcript: string;
    /** What of other files comes before the transcript, for clients that hold a session in several. */
    before?: readonly Part[];
    /** The path of the first generation; its folder must exist. */
    journal: string;
}
export interface JournalCopy {
    /** The file name of the journal generation that now holds the transcript. A segment calls it `journal`. */
    generation: string;
    /** The size of the generation. It is the cursor: everything before it has been copied. */
    size: number;
    /** Bytes copied by this call. */
    copied: number;
    /** The transcript no longer continued the journal, so a new generation was begun. */
    restarted: boolean;
}
/**
 * Brings a journal up to its transcript: writes the new bytes at the same offsets and fsyncs them. Two calls at once
 * write the same bytes to the same places, so neither needs a lock. Memory does not grow with the file.
 *
 * When the client has rewritten its transcript (it is shorter than the journal, or has other bytes where the journal
 * ends), the old journal stays as it is, under its name, and a further generation begins: `<id>.jsonl`, `<id>~1.jsonl`,
 * `<id>~2.jsonl`, … So an offset always belongs to a file name. A transcript that is missing, empty or not a regular
 * file gives nothing to copy. Throws `disk-full`, `unwritable`, `unreadable` or `unsafe-path`.
 */
export declare function copyNewBytes({ transcript, before, journal }: Copying): JournalCopy;
/** What a copy of the open transcript would write: its bytes `from`..`end`, at the same offsets of the file `path`. */
export interface NextCopy {
    path: string;
    from: number;
    end: number;
    restarted: boolean;
}
/** The next copy of an open transcript into a journal with these generations; undefined when nothing is new. */
export declare function nextCopy(source: Source, journal: string, generations: readonly Generation[]): NextCopy | undefined;
export interface Generation {
    name: string;
    path: string;
    size: number;
}
/** The generations of a journal that exist, oldest first; the last one is being written. */
export declare function listGenerations(journal: string): Generation[];
/** The bytes of one generation from an offset on; none when it does not exist. */
export declare function readJournal(path: string, at?: number): Uint8Array;
/** The bytes `from`..`to` of one generation; fewer when it is shorter or does not exist. */
export declare function readJournalPart(path: string, from: number, to: number): Uint8Array;
