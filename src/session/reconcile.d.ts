import type { Message, SessionFile } from './schema.ts';
/** One segment of a native session, read and redacted. Publishing brings it into the record. */
export interface ReadSegment {
    client: string;
    nativeId: string;
    startedAt: string;
    messages: Message[];
    model?: string | undefined;
    mcpTools: string[];
    /** Why there may be more tools than these; absent when the list is complete. */
    toolsUnknown?: string | undefined;
    from?: string | undefined;
    to?: string | undefined;
    /** What was said before these messages, where only the end of the segment was read. */
    before?: Pick<KnownFacts, 'said' | 'lastActive'> | undefined;
}
/** What is known of a segment of which only the end is read. */
export interface KnownFacts extends Pick<ReadSegment, 'model' | 'mcpTools' | 'toolsUnknown' | 'from' | 'to'> {
    /** How many messages a person or the agent said in it, and when the last one. */
    said: number;
    lastActive?: string | undefined;
}
export interface SavePlan {
    /** The lines to append, in order; empty when the record is up to date. */
    append: Message[];
    session: SessionFile;
    /** The whole conversation in reading order, as it will be after the append. */
    messages: Message[];
}
/**
 * Computes which lines to append so that the record holds all that was said, and the metadata that follows from them.
 * Reconciling twice changes nothing, and earlier lines are never touched. Pruned lines (`pruned`, by id) do not come
 * back. `turn` holds messages that an agent loop appended itself.
 */
export declare function reconcile(session: SessionFile, lines: readonly Message[], segments: readonly ReadSegment[], pruned?: Pick<ReadonlySet<string>, 'has'>, turn?: readonly Message[]): SavePlan;
/** The lines as those of this conversation, so that a merge with another one of the same name can be told apart. */
export declare function stamped({ origin }: SessionFile, lines: readonly Message[]): Message[];
/** A record of which only this is known: what came last, how much was said, and what may still grow. */
export interface KnownRecord {
    /** How many messages people and agents said. */
    messages: number;
    /** The latest time in it. */
    newest: string;
    /** The messages at its end that may still grow. */
    open: readonly Message[];
}
/**
 * Does the same as `reconcile` for segments of which only what is new was read, without the record's lines. Undefined
 * when those are needed, because something new is no plain continuation. No id in the segments is in the record, except
 * of what may still grow.
 */
export declare function reconcileNew(session: SessionFile, { messages, newest, open }: KnownRecord, segments: readonly ReadSegment[]): Pick<SavePlan, 'append' | 'session'> | undefined;
/** The incoming messages that the file lacks, or holds in a poorer form (an answer that was still growing). */
export declare function newLines(lines: readonly Message[], incoming: readonly Message[]): Message[];
/** How many messages were said in a segment, and when the last one. */
export declare function saidIn({ messages, before, }: Pick<ReadSegment, 'messages' | 'before'>): Pick<KnownFacts, 'said' | 'lastActive'>;
/** A text that is not a time comes before every time. */
export declare function compareTimes(a: string, b: string): number;
