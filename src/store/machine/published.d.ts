import type { KnownFacts } from '../../session/reconcile.ts';
import type { Message } from '../../session/schema.ts';
import type { Binding, Segment } from './binding.ts';
/**
 * What the record of a conversation holds, as the last publishing left it: so that the next one need not read it again.
 * It counts only while no file of the record has changed since (`record`). It can be made anew, and whoever doubts it
 * reads everything.
 */
export interface PublishedMark {
    /** The program and the settings that made the lines: others would make other ones. */
    by: string;
    /** The stamp of the record's files. */
    record: string;
    messages: number;
    tokens: number;
    /** The latest time in the record. */
    newest: string;
    /** What the person asked last, for a summary. */
    asked: string;
    /** How many ids the list of ids holds. */
    ids: number;
    segments: PublishedSegment[];
}
/** How far a segment is in the record, and where a reader has to begin to read on. */
export interface PublishedSegment {
    client: string;
    native_id: string;
    journal: string;
    from: number;
    started_at: string;
    /** The offset in the journal up to which everything is in the record. */
    end: number;
    /** Whether the client had ended then. */
    ended: boolean;
    /** The begin of an earlier turn: its offset, and its line in the transcript. Absent where only few turns were said. */
    again?: {
        at: number;
        line: number;
    };
    /**
     * Id and hash of the messages that follow the turn at `again`, up to the turn that may still grow. Who reads from
     * there must find just these.
     */
    seen: [id: string, hash: string][];
    /** The messages of the turn that may still grow. */
    open: Message[];
    /** A stamp for each side file, by its path. */
    sides: Record<string, string>;
    facts: KnownFacts;
}
export declare function readPublished(local: string, path: string): PublishedMark | undefined;
/**
 * Writes the mark together with the ids of all messages in the record. With `after`, the number of ids that the list holds
 * already, only new ones are given. Not durable, and what fails is logged: without it the next one reads everything. An
 * earlier mark that stays has the stamp of an earlier record.
 */
export declare function writePublished(local: string, path: string, mark: Omit<PublishedMark, 'ids'>, ids: Iterable<string>, after?: number): void;
export declare function forgetPublished(local: string, path: string): void;
/** The ids of a mark's record; undefined when their list is not the one that the mark was written with. */
export declare function publishedIds(local: string, path: string, mark: PublishedMark): {
    has(id: string): boolean;
} | undefined;
/** Whether a mark's entry is about this segment of this session. */
export declare function isSegment(one: PublishedSegment, { client, native_id }: Pick<Binding, 'client' | 'native_id'>, { journal, from, started_at }: Segment): boolean;
/** A hash of a message, by which two readings of it are compared. */
export declare function hashOf(message: Message): string;
