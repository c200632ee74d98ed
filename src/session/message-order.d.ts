import type { Message } from './schema.ts';
/**
 * Orders the lines of messages.jsonl as they are read. There is one message for each id: the richest line, at the place
 * of the first. Every native session keeps its own order (`seq`), and sessions are merged by time. Times in real
 * transcripts sometimes run backwards, so a session's clock is its running maximum: a late timestamp never pulls a
 * message out of its session's order. A line without `seq` stays behind the line that it follows in the file. When
 * every line has a `seq`, the order of the lines in the file does not matter, so clones that merge read the same.
 */
export declare function orderMessages(lines: readonly Message[]): Message[];
/**
 * The line that tells more, whichever comes first. Of two lines of the same length, the one that sorts first as text.
 */
export declare function richer(a: Message, b: Message): Message;
