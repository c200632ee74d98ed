import type { Term } from './query.ts';
/**
 * One regular expression for all that may be one of the terms: it finds the beginnings that the forms of a word share,
 * and takes the rest of the word with them. V8 goes through a text by it several times faster than word by word.
 */
export declare function patternOf(terms: readonly Term[]): RegExp;
/** A regular expression for a text as it is. */
export declare function exactly(text: string): RegExp;
