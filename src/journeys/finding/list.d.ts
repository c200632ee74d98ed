import { type IndexEntry } from '../../session/index-entry.ts';
import { type EffectiveStatus } from '../../session/lifecycle.ts';
import type { Binding } from '../../store/machine/binding.ts';
import type { Workspace } from '../../workspace/open.ts';
/** A conversation as lists show it. */
export interface Listed {
    id: string;
    datedId: string;
    path: string;
    folder: string;
    title: string;
    type: string;
    status: EffectiveStatus;
    lastActive: Date;
    created: Date;
    summary: string;
    tags: readonly string[];
    /** The key, where an agent loop holds the conversation. */
    key?: string;
    messages: number;
    /** About how many tokens the talk has, as the record says. */
    tokens: number;
    client: string;
    archived: boolean;
    /**
     * True when the conversation was not touched for so long, or is so far down, that lists leave it out unless asked
     * (X-15).
     */
    old: boolean;
    live: boolean;
    /** Its last session here ended, or went on to another conversation, without a stop: no stop has committed it. */
    left: boolean;
    /** The native sessions that the conversation was held in, in their order. */
    native: IndexEntry['native'];
}
export interface Listing {
    /** Newest first. */
    conversations: Listed[];
    /** Conversations that cannot be read, by path, with what is wrong. */
    broken: {
        path: string;
        code: string;
        message: string;
    }[];
    /** The paths of those whose folders somebody has removed, and that this machine can bring back. */
    gone: string[];
    /** Workspace-relative paths of conversation folders that hold a document and no session. */
    documents: string[];
}
/**
 * Lists all conversations of the workspace, from metadata only. It reads no message. It writes the index, and where a
 * folder has been moved, this machine's own files follow. Throws `locked`.
 */
export declare function listConversations(ws: Workspace): Listing;
/** Whether a person is offered to go on with it: it is not completed, not archived and not old. */
export declare function isResumable(one: Listed): boolean;
/** What a person is offered to go on with, and how many there are besides. */
export interface ToResume<T> {
    /** Those that may be resumed; where all of those are old, the old ones. */
    shown: T[];
    /** How many are left out because they are old, */
    older: number;
    /** and how many because they are completed or archived. */
    closed: number;
}
export declare function toResume<T extends Listed>(conversations: readonly T[]): ToResume<T>;
/** The number that names a conversation among all of the workspace, with its day where several have it. */
export declare function numberOf(ws: Workspace, path: string): string;
export declare function numberIn(conversations: readonly Listed[], path: string): string;
/** How a line names a conversation: `5 "API design"`. */
export declare function numberAndTitle(conversations: readonly Listed[], path: string): string;
/** The session of a conversation that is being recorded in which something was said last, and when. */
export interface Live {
    client: string;
    native_id: string;
    at: Date;
}
/** The conversations with a live binding among these, by their paths. */
export declare function liveByConversation(bindings: readonly Binding[]): Map<string, Live>;
