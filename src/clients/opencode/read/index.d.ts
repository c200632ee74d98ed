import type { RawTranscript, Reading } from '../../contract/reading.ts';
/**
 * Reads an OpenCode transcript, as our plugin writes it (record.ts), into messages, facts, and a report on every byte.
 * The content of the records was observed on 1.18.33. Never throws on content. Pure.
 *
 * A segment is read by itself. What lies before it is used only for the ids of its messages (one that comes again in
 * the segment is a later state of an earlier message), for the session's own record, and for where a rewind leads.
 * OpenCode tells of a rewind before the prompt with which a segment begins, so both segments tell of it.
 */
export declare function readTranscript(raw: RawTranscript): Reading;
