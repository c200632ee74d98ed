import type { Tally } from './count.ts';
import type { Query } from './query.ts';
/** A conversation, with what of the query stands where in it. */
export interface Candidate {
    /** The messages that hold any of it. */
    messages: Tally;
    /** How many messages it has. */
    count: number;
    /** Characters of all messages. */
    length: number;
    /** What names it, as its title does, and how much a word counts there. */
    headings: readonly {
        counted: Tally;
        weight: number;
    }[];
}
export interface Ranked<C extends Candidate> {
    candidate: C;
    score: number;
    /** Of each of its messages. */
    scores: number[];
    /** From 0 to 1: how much of what was asked for it holds, rare words counting more. */
    covered: number;
}
/**
 * Ranks conversations for a query, best first, without those that hold nothing of it. By BM25: rare words count more,
 * and a word that comes again counts less each time. A conversation counts as one text, and in addition by its best
 * messages, so that words that were said together count more than words far apart. The numbers were found with
 * questions about other conversations (docs/search.md).
 */
export declare function rank<C extends Candidate>(query: Query, candidates: readonly C[]): Ranked<C>[];
