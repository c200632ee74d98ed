import type { Message } from '../../../session/schema.ts';
import type { ByteLedger } from '../../shared/transcript/byte-ledger.ts';
import { type Fields } from '../../shared/transcript/fields.ts';
import type { Line } from '../../shared/transcript/lines.ts';
import type { Before } from './before.ts';
import { type Beside } from './parts.ts';
export interface ReaderContext extends Beside {
    nativeSession: string;
    ledger: ByteLedger;
    before: Before;
    /** The reader of the same thread before the segment. */
    earlier: () => TranscriptReader;
    /** True when the client has ended: what waits in its queue is told by no record that is still to come. */
    ended: boolean;
    /** Takes a subagent's record out of the talk. `self` when the lines are a subagent's own. */
    subagent: 'self' | ((line: Line, record: Fields) => 'kept' | 'derived');
}
/** Reads the records of one thread, in the order of the talk, into messages and events. */
export declare class TranscriptReader {
    #private;
    /** Agent id → the tool call that started the agent, from the results of the calls. */
    readonly agents: Map<string, string>;
    settled: boolean;
    model: string | undefined;
    constructor(context: ReaderContext);
    /** The messages in the order of the talk, events included. */
    get messages(): Message[];
    read(lines: readonly Line[]): void;
}
