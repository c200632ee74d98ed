import type { Message } from '../../../session/schema.ts';
import { type Fields } from '../../shared/transcript/fields.ts';
/** A message of the client's list, and what it became here: nothing, one message, or an answer and its results. */
export interface Entry {
    messages: Message[];
    /** Role, text and calls, by which the message is recognised under another id. */
    words: string;
    /** It belongs to the seed of our handoff, which nobody said. */
    isSeed?: true;
}
/**
 * Maps native ids to the entries that they repeat. After `/compress` the client writes the last part of the list again
 * under new ids. The new list is matched with the old one from the ends of both, by role and text in order. So of two
 * turns with the same words the later one is meant.
 */
export declare function matchRepeats(list: readonly Fields[], known: ReadonlyMap<string, Entry>, live: readonly Entry[]): Map<string, Entry>;
/** The role, text and calls of a message; empty for a message that has neither text nor calls. */
export declare function repeatKey(record: Fields): string;
