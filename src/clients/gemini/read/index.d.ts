import type { RawTranscript, Reading } from '../../contract/reading.ts';
/**
 * Reads a Gemini CLI session file into messages, facts, and a report on every byte. The format was observed on 0.61.0.
 * Never throws on content. Pure: it reads nothing but what it is given.
 *
 * What lies before the segment is read too, since records refer to the client's list. What was said there is in the
 * result only where a record of the segment adds to it.
 */
export declare function readTranscript(raw: RawTranscript): Reading;
/** Whether the client writes its list again there: only who knows the list can tell what of it is new. */
export declare function refersBack(bytes: Uint8Array): boolean;
