import { type SavePlan } from '../session/reconcile.ts';
import { type Message, SessionFile } from '../session/schema.ts';
import { type RecordAndPendingTurn } from '../store/machine/pending-turn.ts';
import type { Problem } from '../store/record/problem.ts';
import type { Workspace } from '../workspace/open.ts';
import type { BoundSegment, PlannedEnd } from './segments/segment-content.ts';
/** A conversation as it is now: the record together with what the journal has beyond it. */
export interface Conversation {
    /** The workspace-relative path, with forward slashes. */
    path: string;
    folder: string;
    session: SessionFile;
    /**
     * In reading order and redacted, published or not. Pruned messages are not among them, but the events that tell of
     * pruning are.
     */
    messages: Message[];
    /** The pruned messages, by id. */
    pruned: ReadonlyMap<string, Message>;
    plan: SavePlan;
    segments: BoundSegment[];
    /** What lies in the record itself. */
    record: RecordAndPendingTurn;
    problems: Problem[];
    /** False when a newer program wrote the conversation: it can only be read. */
    writable: boolean;
    /**
     * Git has put another conversation of the same name into the folder: alone, while this machine knows the folder as
     * that of its own (whose words are not here then), or beside this one. Until that is settled it can only be read.
     */
    another: boolean;
    /** The folder is gone from this work tree; what is known comes from this machine's own files. */
    folderGone: boolean;
}
/**
 * Reads a conversation and writes nothing. It compares every segment that this machine has a journal of with the lines
 * of the record, and trusts no cursor: lines that a reset or a checkout took away are missing, and come back. With
 * `known` it reads again only the files that have changed since; the result is the same as without it. Live segments are
 * read up to their planned `ends`. Throws `not-found`, `unreadable` or `unsafe-path`.
 */
export declare function readConversation(ws: Workspace, path: string, known?: Conversation, ends?: readonly PlannedEnd[]): Conversation;
/**
 * Reads a conversation whose lines are to be moved or copied: with them as they lie in the record, so that what moves or
 * copies them does not read them again. Throws what readConversation throws.
 */
export declare function readToMove(ws: Workspace, path: string): Conversation;
export declare function readState(ws: Workspace, path: string, folder: string): {
    session: {
        [x: string]: unknown;
        version: string;
        conversation_id: string;
        conversation_type: string;
        title: string;
        status: "active" | "completed" | "paused";
        created_at: string;
        last_active: string;
        message_count: number;
        token_count: number;
        agent_config: {
            [x: string]: unknown;
            client: string;
            command: string;
            system_prompt_hash: string;
            model: string;
            tools: string[];
            unknown?: Record<string, string> | undefined;
        };
        context_summary: string;
        repository?: {
            [x: string]: unknown;
            head?: string | undefined;
            branch?: string | undefined;
            dirty?: boolean | undefined;
        } | undefined;
        agent_sessions: {
            [x: string]: unknown;
            client: string;
            native_id: string;
            from?: string | undefined;
            to?: string | undefined;
            model?: string | undefined;
            started_at: string;
            last_active: string;
            message_count: number;
        }[];
        archived_at?: string | undefined;
        key?: string | undefined;
        forked_from?: {
            [x: string]: unknown;
            path: string;
            message_id: string;
            origins?: string[] | undefined;
        } | undefined;
        parent?: string | undefined;
        tags?: string[] | undefined;
        origin?: string | undefined;
        merged?: unknown[] | undefined;
    };
    problems: Problem[];
    writable: boolean;
    gone: boolean;
    another: boolean;
};
