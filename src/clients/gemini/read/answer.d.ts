import type { Message, ToolCall } from '../../../session/schema.ts';
import { type Fields } from '../../shared/transcript/fields.ts';
/** One tool call of an answer, and its result if that is known yet. */
export interface Call {
    call: ToolCall;
    result?: unknown;
    /** What the client showed of the result on the screen. */
    shown?: unknown;
    failed: boolean;
    /** The session of the subagent that the call started. */
    agent: string;
}
export interface Answer {
    body: Message['content'];
    attachments: NonNullable<Message['attachments']>;
    reasoning: string;
    calls: Call[];
    model: string;
    tokens: number;
}
/**
 * Reads what a record of type `gemini` says. When it is first written its content is a text, with thoughts and calls
 * beside it. When it is written again as part of the history, its content is the API's parts, with calls and thoughts
 * among them.
 */
export declare function answerOf(record: Fields, blobs: Map<string, Uint8Array>): Answer;
/** Adds what an answer says beyond what is known of it. Returns whether there was any such thing. */
export declare function enrich(message: Message, answer: Answer): boolean;
