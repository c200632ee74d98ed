import type { ByteLedger } from '../../shared/transcript/byte-ledger.ts';
import type { Line } from '../../shared/transcript/lines.ts';
import { Answers } from './answers.ts';
import { Calls } from './calls.ts';
import { Lineage } from './lineage.ts';
import { Talk } from './talk.ts';
/**
 * Reads the lines of a thread, in file order, into messages and events. What the person and the assistant said is told by
 * the items that Codex showed (`UserMessage`, `AgentMessage`), and in older files by events. The messages that went to
 * the model hold more than that (contexts, skills, the summary of a compaction), so they only give images, and what
 * nothing else tells (untold.ts).
 */
export declare class TranscriptReader {
    #private;
    title: string | undefined;
    cwd: string | undefined;
    clientVersion: string | undefined;
    readonly talk: Talk;
    readonly calls: Calls;
    readonly answers: Answers;
    readonly lineage: Lineage;
    constructor(session: string, blobs: Map<string, Uint8Array>);
    /**
     * Reads lines. `untold` are the numbers of those that alone say what they say. If a ledger is given, what became of
     * each line is entered there.
     */
    read(lines: readonly Line[], untold: ReadonlySet<number>, ledger?: ByteLedger): void;
}
