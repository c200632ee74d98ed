import type { Query } from './query.ts';
/** A piece of a text around what was found in it. */
export interface Passage {
    /** On one line as far as white space goes, with `…` where the text goes on. */
    text: string;
    /** What was found, as places in `text`: begin and end of each, in order. */
    marks: [number, number][];
}
/**
 * The piece of a text of about `length` characters that holds most of a query; its beginning where it holds nothing of
 * it. The first of the words stands `before` characters from its begin.
 */
export declare function passageOf(whole: string, query: Query, { length, before }?: {
    before?: number | undefined;
    length?: number | undefined;
}): Passage;
