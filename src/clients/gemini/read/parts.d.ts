import type { Attachment, Message } from '../../../session/schema.ts';
import { type Fields } from '../../shared/transcript/fields.ts';
type Content = Message['content'];
export interface Body {
    content: Content;
    attachments: Attachment[];
}
/** The parts of a message's content (Gemini's `PartListUnion`). A plain text becomes one text part. */
export declare function partsOf(content: unknown): Fields[];
/** The texts of parts, joined as the client joins them, without what the model thought. */
export declare function textIn(parts: readonly Fields[]): string;
/** Makes a body of parts: one text is a string, anything else keeps its parts. Bytes in them become attachments. */
export declare function bodyOf(parts: readonly Fields[], blobs: Map<string, Uint8Array>): Body;
/** Finds the whole of a tool's output that the client has cut, by the name of its file. */
export type Moved = (name: string) => Uint8Array | undefined;
/** What a tool answered, as it stands with its call. */
export interface Answered {
    result: unknown;
    /** What the client showed on the screen: `resultDisplay`. */
    shown?: unknown;
}
export interface ToolResult extends Body {
    failed: boolean;
}
/**
 * Makes a result of what a tool answered (`toolCalls[].result`): `response.output` or `response.error` of its
 * `functionResponse`, and any other parts behind it.
 */
export declare function resultOf({ result, shown }: Answered, blobs: Map<string, Uint8Array>, moved: Moved): ToolResult;
/** The ids of the calls that a message answers, if it holds only answers. */
export declare function answeredCalls(parts: readonly Fields[]): string[] | undefined;
/**
 * Removes what hooks put beside a prompt. It is a part of its own or, from a SessionStart hook headless, stands
 * directly before the prompt. The client escapes `<` within it, so its end is certain.
 */
export declare function withoutHookContext(text: string): string;
/** The texts of a list of thoughts; each thought has a subject and a description. */
export declare function thoughtsIn(thoughts: unknown): string;
export {};
