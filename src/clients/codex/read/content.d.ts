import type { Attachment, Message } from '../../../session/schema.ts';
import { type Fields } from '../../shared/transcript/fields.ts';
type Content = Message['content'];
export interface Body {
    content: Content;
    attachments: Attachment[];
}
/** Finds the bytes of the images in a message as it was sent to the model, in their order. */
export declare function imagesIn(content: unknown): string[];
/**
 * Makes a body of what a person typed (a `UserMessage` item). Images stand there with their path alone, so their bytes
 * come from the message to the model, `images`. What names a skill or a file stands in the text, too.
 */
export declare function typedBody(parts: unknown, images: readonly string[], blobs: Map<string, Uint8Array>): Body;
/** Makes a body of what a tool gave back: a text, or a list of texts and images. */
export declare function outputBody(output: unknown, blobs: Map<string, Uint8Array>): Body;
/** What Codex noted of a call beside what the model was given. */
export interface Outcome {
    failed: boolean;
    refused: boolean;
    /** The output of a command; longer than what the model was given, but it may be cut as well. */
    output: string;
}
export declare function outcomeOf(item: Fields): Outcome;
/** Puts back what of a command's output was cut for the model, as far as Codex has kept more of it. */
export declare function wholeOutput(text: string, outcome: Outcome | undefined): string;
/** Whether a command has failed, where only its output tells. */
export declare function saysFailed(text: string): boolean;
export {};
