import type { Message } from '../../session/schema.ts';
/**
 * Writes contents that are too long for a line into a conversation folder, each under its sha256. Files that are there
 * stay. Throws `disk-full`, `unwritable` or `unsafe-path`.
 */
export declare function writeAttachments(folder: string, blobs: ReadonlyMap<string, Uint8Array>): void;
/** Whether this machine has a content that is too long for a line, or a file. Git does not carry them. */
export declare function hasAttachment(folder: string, sha256: string): boolean;
/** The bytes of an attachment of at most `most` bytes; undefined where it is larger or not here. Throws `unreadable`. */
export declare function readAttachment(folder: string, sha256: string, most: number): Uint8Array | undefined;
/** The whole text of a result that is cut in its line; undefined where it is not here. Throws `unreadable`. */
export declare function wholeText(folder: string, { truncated }: Message): string | undefined;
