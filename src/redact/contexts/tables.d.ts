import type { Expectation } from '../names.ts';
import type { Span } from '../scan.ts';
/**
 * The name is a cell in the first line of a table (a CSV, or between bars or tabs); the secret stands below, in the same
 * column of the next rows.
 */
export declare function valueBelow(text: string, start: number, end: number, expected: Expectation): Span[] | undefined;
