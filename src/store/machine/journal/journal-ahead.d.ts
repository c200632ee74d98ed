import { type Copying, type Generation } from './journal.ts';
/** A journal as a copy would leave it now, without making the copy. */
export interface JournalAhead {
    /** The generations, oldest first; the last one is being written. */
    generations: Generation[];
    /** The bytes of a generation by its file name, from an offset on; none when it does not exist. */
    read(generation: string, at?: number): Uint8Array;
}
/**
 * Reads a journal together with the bytes that its transcript has beyond it, and writes nothing. So a command that only
 * looks sees the same as one that copies first (`copyNewBytes`). Without a transcript the journal is read as it is.
 * Throws `unreadable` or `unsafe-path`.
 */
export declare function readJournalAhead({ transcript, before, journal, }: Omit<Copying, 'transcript'> & {
    transcript: string | undefined;
}): JournalAhead;
