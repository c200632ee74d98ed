import type { Bucket } from '../../shared/transcript/byte-ledger.ts';
import { type Fields } from '../../shared/transcript/fields.ts';
import type { Line } from '../../shared/transcript/lines.ts';
import { type Calls } from './calls.ts';
import type { Talk } from './talk.ts';
/** What the model said, thought and called. What belongs to one response, and has no words before it, is one message. */
export declare class Answers {
    #private;
    /** Whether the last answer is a final one. */
    settled: boolean;
    model: string | undefined;
    constructor(talk: Talk, calls: Calls);
    /** Ends the answer: what follows belongs to another one. */
    end(settled: boolean): void;
    spoke(line: Line, id: string, text: string, { phase }: Fields): Bucket;
    thought(line: Line, id: string, text: string): Bucket;
    /** Reads a call, or what came of one; undefined when the item is neither. */
    called(line: Line, payload: Fields): Bucket | undefined;
    /** A response ends with what it cost. */
    usage(tokens: unknown): Bucket;
}
