import { type Found } from './placeholder.ts';
/** A secret in a text: from `start` up to `end`. */
export interface Span {
    start: number;
    end: number;
    kind: string;
}
/** What a rule found at a place: secrets to replace, in their order; text to skip; or nothing. */
export type Verdict = Span | readonly Span[] | {
    skipTo: number;
} | undefined;
/** Judges a place of one text where a literal of the trigger stands. It may remember what it read of that text. */
export type Judge = (at: number, literal: string) => Verdict;
/**
 * Walks once over a text and asks `judge` wherever one of the trigger's literals stands. Spans do not overlap: the
 * first one wins. Placeholders are skipped; every trigger must name their mark. Returns the same text when nothing is
 * replaced.
 */
export declare function replaceSpans(text: string, trigger: RegExp, judge: Judge, found: Found[]): string;
/** A regular expression that finds any of the literals, the longest first. */
export declare function anyOf(literals: Iterable<string>): RegExp;
export declare function longestFirst(literals: Iterable<string>): string[];
export declare function escapeLiteral(literal: string): string;
