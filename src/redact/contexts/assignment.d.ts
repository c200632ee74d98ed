import type { Verdict } from '../scan.ts';
import { type Quotes } from './values.ts';
/**
 * Finds a telling name, a separator and a value. The name is around `at`, where one of the trigger's words stands. The
 * value follows behind a sign, in the next cell of a table, in the next field (`name: X`, `value: …`), or in the column
 * below.
 */
export declare function assignedSecret(text: string, at: number, quotes: Quotes): Verdict;
