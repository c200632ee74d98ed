import type { Meaning, Query } from './query.ts';
export interface Reading {
    from?: number;
    to?: number;
    /** The text is the inside of a string of JSON. */
    escaped?: boolean;
}
/** Goes through a plain text from one word that means a term of a query to the next. */
export declare class WordReader {
    #private;
    /** Where the word stands, and what it means. */
    start: number;
    end: number;
    meanings: readonly Meaning[];
    constructor(text: string, query: Query, { from, to, escaped }?: Reading);
    /** `test` tells only where a match ends, and makes no object for each, as `exec` does. */
    next(): boolean;
}
