import type { Attachment, Message } from '../../../session/schema.ts';
import { type Fields } from '../../shared/transcript/fields.ts';
type Content = Message['content'];
/** What lies beside the transcript. Bytes found in it go to `blobs`; `side` gives moved outputs. */
export interface Beside {
    blobs: Map<string, Uint8Array>;
    side(path: string): Uint8Array | undefined;
}
export interface Body {
    content: Content;
    attachments: Attachment[];
}
/** Makes a body of what a person said: a single text is a string, anything else keeps its parts. */
export declare function saidBody(blocks: Fields[], beside: Beside): Body;
/** The result of a tool, and what else the transcript tells of it. */
export interface Result {
    content: unknown;
    /** The client's own copy of what the tool answered: `toolUseResult`. */
    copy: unknown;
    /** The name of the tool, where its call was read. */
    tool: string | undefined;
}
/**
 * Makes a body of a tool result, without the reminders that the client puts into it. An output that Claude Code moved to
 * a side file is put back, from there or from the client's own copy.
 */
export declare function resultBody(result: Result, beside: Beside): Body & {
    reminders: string[];
};
/** What the model was told, without what is no text. */
export declare function textIn(content: unknown): string;
export {};
