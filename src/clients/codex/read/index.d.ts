import type { RawTranscript, Reading } from '../../contract/reading.ts';
/**
 * Reads a thread of Codex CLI into messages, facts, and a report on every byte: its rollout files one behind the other
 * (../parts.ts). The format was observed on 0.169.0. Never throws on content. Pure: it reads nothing but what it is given.
 *
 * What lies before the segment is read too, since a rewind goes back there. What was said there is in the result only
 * where a line of the segment adds to it.
 */
export declare function readTranscript(raw: RawTranscript): Reading;
/** Whether a file goes on from another one there: only who knows that one can tell what of it still counts. */
export declare function refersBack(bytes: Uint8Array): boolean;
