import { type Tally } from './count.ts';
import type { Query } from './query.ts';
/** So many messages say how frequent a word is. */
export declare const SAMPLE = 1000;
/**
 * The query, after a look at some messages: a word that stands in more than a quarter of them says next to nothing, so
 * it counts only in messages that hold a rarer word of the query too. All others need not be read any closer. When all
 * words are that frequent, or too few messages were looked at, the query stays as it is.
 */
export declare function afterSample(query: Query, { counts }: Tally, messages: number): Query;
/** Takes the last text out of a tally when it holds frequent words only. Returns whether it stays. */
export declare function tells({ frequent, terms, phrases }: Query, tally: Tally): boolean;
