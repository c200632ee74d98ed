import type { Expectation } from '../names.ts';
import type { Span } from '../scan.ts';
import { type Quotes } from './values.ts';
/**
 * `name: DB_PASSWORD`, then `value: …`: the name is itself a value, and a field beside it holds the secret, mostly the
 * next one. `start` and `end` are those of the name.
 */
export declare function valueField(text: string, start: number, end: number, expected: Expectation, quotes: Quotes): Span | undefined;
