import { type Message } from '../../session/schema.ts';
import { type Problem } from './problem.ts';
export interface MessagesRead {
    /**
     * The messages in file order, as written: unknown keys are kept, and repeated ids are not joined (`reconcile` does
     * that).
     */
    lines: Message[];
    /** For each message, its line in the file, 0-based. */
    places: number[];
    /** Lines that are not a message, and oddities. None of them is fatal. */
    problems: Problem[];
}
/**
 * Reads messages.jsonl, a subagent's file or an archive file, which all have the same lines, by its path below the
 * conversation's folder. Every whole line that is a message is returned, whatever surrounds it. A missing file counts
 * as empty. A line in the shape of an older document is a message too (foreign-line.ts). With `raw`, the lines as `readRawLines` has read them, the file is not read again. Throws `unreadable` or
 * `unsafe-path`.
 */
export declare function readMessages(folder: string, name?: string, raw?: readonly Buffer[]): MessagesRead;
/** The message of one line; undefined when it holds none. Of two lines with the same words and no id, the ids are one. */
export declare function messageIn(line: string): Message | undefined;
