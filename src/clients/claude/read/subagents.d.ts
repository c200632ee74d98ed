import type { Message } from '../../../session/schema.ts';
import type { RawTranscript } from '../../contract/reading.ts';
import { type Fields } from '../../shared/transcript/fields.ts';
import { type Line } from '../../shared/transcript/lines.ts';
import type { TranscriptReader } from './transcript-reader.ts';
/**
 * Collects the subagents of a transcript. Claude Code has written them in three ways: as records with `isSidechain` in
 * the main file; as `progress` records of kind `agent_progress` (2.1.7 to 2.1.39); as side files
 * `subagents/agent-<id>.jsonl`, since 2.1.197 with a `.meta.json` that names the call. One record may stand in two of
 * these places.
 */
export declare class Strands {
    #private;
    constructor(raw: RawTranscript);
    /** Takes a subagent's record out of the main file. Returns `derived` when a side file has it too. */
    add(line: Line, record: Fields): 'kept' | 'derived';
    /**
     * The messages of each subagent, by its call. A side file belongs to the segment when a call in it, or in another
     * subagent of it, started the agent. When the whole transcript is read, an agent without a known call is kept under
     * its own id, unless it is one of the client's own summarising agents, which repeat the talk.
     */
    read(main: TranscriptReader, whole: boolean, read: (lines: Line[]) => TranscriptReader): Record<string, Message[]>;
}
