import type { Message } from '../../session/schema.ts';
import type { Binding, Segment } from '../../store/machine/binding.ts';
/** The journal of a native session, as far as it is asked here. */
interface Generations {
    /** Oldest first. */
    generations: readonly {
        name: string;
    }[];
    read(name: string): Uint8Array;
}
/**
 * What a rewritten transcript adds to a conversation. A client that shortens its transcript or writes it anew brings the
 * old talk along: what was said before the conversation stays out of it, what is known stays where it was, and what is
 * new comes behind it.
 */
export declare function addedByRewriting(binding: Binding, segment: Segment, journal: Generations, messages: readonly Message[]): Message[];
export {};
