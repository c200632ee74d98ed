import type { Message } from '../../../session/schema.ts';
import type { ByteLedger } from '../../shared/transcript/byte-ledger.ts';
import type { Line } from '../../shared/transcript/lines.ts';
import { type Moved } from './parts.ts';
/**
 * Reads the records of one session file, in file order, into messages and events. The client folds the file: a record
 * with a known id replaces the earlier record, `$set.messages` replaces the whole list, `$rewindTo` cuts it. This
 * reader replaces nothing: each message stands where it was said first, in its richest form. `#live` is the client's
 * list, which tells what a rewind goes back to and what a compression repeats.
 */
export declare class TranscriptReader {
    #private;
    /** All messages and events, in the order in which they were said first. */
    readonly messages: Message[];
    /** The messages that the records of the segment made or added to. */
    readonly touched: Set<{
        [x: string]: unknown;
        id: string;
        role: "assistant" | "system" | "tool" | "user";
        content: string | {
            [x: string]: unknown;
            type: string;
        }[];
        timestamp: string;
        client?: string | undefined;
        model?: string | undefined;
        reasoning?: string | undefined;
        tool_calls?: {
            [x: string]: unknown;
            id: string;
            name: string;
            arguments: unknown;
        }[] | undefined;
        tool_call_id?: string | undefined;
        tool_name?: string | undefined;
        is_error?: boolean | undefined;
        refused?: boolean | undefined;
        tokens?: number | undefined;
        attachments?: {
            [x: string]: unknown;
            media_type: string;
            sha256: string;
            bytes: number;
            name?: string | undefined;
        }[] | undefined;
        truncated?: {
            [x: string]: unknown;
            bytes: number;
            sha256: string;
        } | undefined;
        parent_id?: string | undefined;
        native_id?: string | undefined;
        native_session?: string | undefined;
        seq?: number | undefined;
        event?: string | undefined;
        origin?: string | undefined;
        author?: string | undefined;
    }>;
    /** A subagent's session → the tool call that started it. */
    readonly agents: Map<string, string>;
    settled: boolean;
    model: string | undefined;
    constructor(session: string, blobs: Map<string, Uint8Array>, moved: Moved);
    /** Reads lines. If a ledger is given, what became of each line is entered there. */
    read(lines: readonly Line[], ledger?: ByteLedger): void;
}
