import type { Message } from '../../session/schema.ts';
/**
 * The bytes of what messages say: texts, thoughts, tool calls and results, and the files that were attached. A record of
 * a client holds much besides: ids, usage, signatures, and copies of results.
 */
export declare function takenBytes(messages: readonly Message[]): number;
