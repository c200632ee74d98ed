/**
 * Counts the typing slips between a typed word and the word that was meant, or its beginning. A slip is a letter too
 * many, missing or wrong, or two letters swapped. Infinity when there are more than are allowed: for a word of up to 3
 * letters none, up to 7 one, else two.
 */
export declare function typingSlips(typed: string, meant: string, allowed?: number): number;
