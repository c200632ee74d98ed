import type { Expectation } from '../names.ts';
import type { Span } from '../scan.ts';
import { type Quotes } from './values.ts';
/**
 * The value that stands on the line below its name: `password: |` of YAML, `apiKey =` and a string of code. `from` is
 * behind the sign.
 */
export declare function valueOnNextLine(text: string, from: number, expected: Expectation, quotes: Quotes): Span | undefined;
