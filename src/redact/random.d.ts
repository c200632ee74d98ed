/**
 * Whether letters and digits follow each other at random. Two things tell words, camelCase and names with dates from
 * what a machine drew: words are made of few pairs of letters, and they seldom change between small letters, capitals
 * and digits.
 */
export declare function isRandom(value: string): boolean;
/** The share of steps at which the class of the letter changes: small, capital, digit. */
export declare function changesOf(letters: string): number;
