import type { Message } from './schema.ts';
/**
 * The messages that the conversation now consists of, in reading order, without events and without what a rewind took
 * back. Every message knows which one came before it; the live ones are those that lead to the last one. So a rewind
 * may also go back to a message that an earlier rewind took away. A rewind reaches only into its own native session.
 * When the conversation began anew, nothing before that counts, and no rewind reaches it.
 */
export declare function livePath(all: readonly Message[]): Message[];
/** The messages that rewinds took back, of those since the conversation began anew last. */
export declare function takenBack(all: readonly Message[]): Set<Message>;
/** The messages after the last event at which the conversation began anew; all of them when it never did. */
export declare function sinceAnew(ordered: readonly Message[]): readonly Message[];
/** Whether a person or the agent said this message. Events and tool results are not talk. */
export declare function isTalk(message: Message): boolean;
/** Whether a turn begins with this message. What the person says in the answer to a call is part of the running turn. */
export declare function isPrompt(message: Message): boolean;
/** The text of a message: its text parts joined, without the other parts. */
export declare function textOf(message: Message): string;
/** The text of a message, and after it a name in brackets for each part that is not text: `[image]`. */
export declare function contentOf(message: Message): string;
