import { type Tally } from '../../search/count.ts';
import type { Query } from '../../search/query.ts';
import type { Message } from '../../session/schema.ts';
/** What was counted in the messages of a conversation, and where each of those lies: all lists are of one length. */
export interface Said extends Tally {
    /** The file of the record; `''` where the message is in none yet. */
    files: string[];
    /** The line, from 0; or the place among the messages that are in no file yet. */
    lines: number[];
}
export interface SaidIn {
    said: Said;
    count: number;
    length: number;
}
/** Whether a message is looked at at all; undefined where all are. */
export type Keeps = ((message: Message) => boolean) | undefined;
export declare function nothingSaid(): SaidIn;
/**
 * Counts a query in files of a record. Nearly all lines are rejected by one regular expression and most others are
 * counted as they lie there; parsed are those that cannot be told from outside: with calls of tools, with parts, cut,
 * or from other programs. A result that is cut in its line is looked through as a whole where this machine has it.
 */
export declare function countInFiles(folder: string, files: readonly string[], query: Query, keeps: Keeps, into: SaidIn): void;
/** Counts a query in messages that are not all in the record yet. */
export declare function countInMessages(folder: string, messages: readonly Message[], query: Query, keeps: Keeps, into: SaidIn): void;
/** The text that a message is found by: its content, whole where it is cut and this machine has the rest. */
export declare function foundText(folder: string, message: Message): string;
/** The texts in the arguments of the calls of a message. */
export declare function argumentsOf({ tool_calls }: Message): string[];
