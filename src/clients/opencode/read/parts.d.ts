import type { Attachment, Message } from '../../../session/schema.ts';
import { type Fields } from '../../shared/transcript/fields.ts';
type Content = Message['content'];
export interface Body {
    content: Content;
    attachments: Attachment[];
}
export declare function unknownParts(parts: readonly Fields[]): Fields[];
/**
 * Makes a body of what a person said. It leaves out texts that the client put in (`synthetic`: a mentioned file, our
 * own context, the body of a command) or only showed (`ignored`). The command as it was typed stays: our plugin shows
 * it in place of its body. An `@agent` stays in the text.
 */
export declare function saidBody(parts: readonly Fields[], blobs: Map<string, Uint8Array>): Body;
export declare function isSaid(part: Fields): boolean;
/** Whether a part belongs to the seed of a handoff (opencode/seed.ts), which nobody said. */
export declare function isSeed(part: Fields): boolean;
/**
 * Makes a body of what a tool answered, in text and files, without the `instructions` that the client put behind it.
 * Undefined when it has not answered yet.
 */
export declare function resultBody(part: Fields, blobs: Map<string, Uint8Array>): (Body & {
    failed: boolean;
    instructions: string;
}) | undefined;
export {};
