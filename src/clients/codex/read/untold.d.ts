import { type Fields } from '../../shared/transcript/fields.ts';
import type { Line } from '../../shared/transcript/lines.ts';
/**
 * The numbers of the lines that alone say what they say. Most messages of the request are told by an event, too; those
 * of a file without events are not, nor those that a thread was begun with. What may still be told by a line to come is
 * not among them, so that a growing file is read the same at every moment. `isTail`: these lines are the end of others.
 */
export declare function untoldLines(lines: readonly Line[], isTail?: boolean): Set<number>;
/** What an item of the request tells of the model's thoughts. */
export declare function summaryOf({ summary, content }: Fields): string;
