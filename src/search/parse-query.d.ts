import type { Query } from './query.ts';
/**
 * Reads words, "quoted words" or a question; undefined when it is empty. `slips` are terms (by their text)
 * of which words count too that differ by a typing slip.
 */
export declare function parseQuery(text: string, slips?: ReadonlySet<string>): Query | undefined;
