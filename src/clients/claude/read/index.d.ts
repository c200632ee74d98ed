import type { RawTranscript, Reading } from '../../contract/reading.ts';
/**
 * Reads a Claude Code transcript into messages, facts, and a report on every byte. The format was observed on 2.1.38,
 * 2.1.39, 2.1.197 and 2.1.330. Never throws on content. Pure: it reads nothing but what it is given.
 *
 * A segment is read by itself. What lies before it is used only for line numbers, for whether a parent lies there, for
 * the tools that were given, for where a rewind leads, and for where an answer began that continues in the segment: all
 * of that answer has one id.
 */
export declare function readTranscript(raw: RawTranscript): Reading;
/** Whether a prompt leaves the client's queue there that may have been typed long before. */
export declare function refersBack(bytes: Uint8Array): boolean;
