import type { Message } from '../../../session/schema.ts';
import type { Line } from '../../shared/transcript/lines.ts';
/** The messages and events of a thread, in the order in which they were said, as they are added one by one. */
export declare class Talk {
    #private;
    readonly messages: Message[];
    /** The messages that the lines of the segment made or added to. */
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
    /** The message behind which the talk goes on; null before the first one. */
    tip: string | null;
    /** When the line that is being read was written. */
    time: string;
    constructor(session: string);
    /**
     * Whether an item stood there before with the same words. Models of other makers may give one id to several items, so
     * other words are no repetition.
     */
    repeats(nativeId: string, words: string): boolean;
    add(line: Line, nativeId: string, role: Message['role'], content: Message['content'], ...parts: string[]): Message;
    addEvent(line: Line, nativeId: string, event: string): Message;
    /** Takes back what was said after a message; null takes back all. */
    goBack(line: Line, to: string | null, nativeId: string): void;
}
