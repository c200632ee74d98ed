import type { Query } from './query.ts';
import { type Reading } from './reader.ts';
/**
 * What was counted in many texts, without an object for each: of a million messages half may hold a word. `counts` has
 * for each text how often each term of the query stands in it, and then each phrase; `lengths` its characters.
 */
export interface Tally {
    counts: number[];
    lengths: number[];
}
export declare function emptyTally(): Tally;
/** How many numbers `counts` has for each text. */
export declare function widthOf({ terms, phrases }: Query): number;
/**
 * Counts a query in a plain text (text/plain.ts) and adds that to the tally; `weight` is what a word counts. Adds
 * nothing, and returns false, when nothing of the query is there.
 */
export declare function countIn(text: string, query: Query, into: Tally, reading?: Reading, weight?: number): boolean;
