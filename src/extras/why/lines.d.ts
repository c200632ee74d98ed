/** The lines of a text without their breaks. A text that is empty has none. */
export declare function linesOf(text: string): string[];
/** Lines such as `}` or `end` stand everywhere, so that their text alone says nothing of who wrote them. */
export declare function isTrivial(line: string): boolean;
/**
 * For each line of `after`, the line of `before` that it was, -1 for a new one: the lines that keep their order. Lines
 * that stand only once on both sides are matched first, so that a moved block does not pull its braces along.
 */
export declare function matchLines(before: readonly string[], after: readonly string[]): number[];
/**
 * How much of two texts is the same lines in the same order, from 0 to 1, as a part of the longer one. White space at the
 * ends of lines does not count: who indents a file anew makes no other one of it.
 */
export declare function likeness(one: readonly string[], other: readonly string[]): number;
