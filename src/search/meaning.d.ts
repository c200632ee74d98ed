import type { Meaning, Term } from './query.ts';
/**
 * Says of a word which terms it may mean. A long text has few different words that are asked about, so that each is
 * looked at once.
 */
export declare function meaningsOf(terms: readonly Term[]): (word: string) => readonly Meaning[];
