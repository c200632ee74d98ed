import type { Message } from '../../session/schema.ts';
/**
 * What publishing would append to a record, ready for searches, which would have to read the client's transcripts and
 * redact them each time. A cache: it counts only with the stamp that it was written with, and may go at any time.
 */
export declare function writeAhead(local: string, path: string, stamp: string, messages: readonly Message[]): void;
/** The messages; undefined where they are not known with this stamp. */
export declare function readAhead(local: string, path: string, stamp: string): Message[] | undefined;
/** Throws `unwritable`. */
export declare function forgetAhead(local: string, path: string): void;
