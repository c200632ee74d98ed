import type { ReadingFacts } from '../../contract/reading.ts';
import type { Line } from '../../shared/transcript/lines.ts';
import type { Before } from './before.ts';
/** What the records say about the session itself. `model` and `settled` come from the transcript reader. */
export declare function readFacts(before: Before, lines: readonly Line[]): Omit<ReadingFacts, 'model' | 'settled'>;
