import type { Bucket } from '../../shared/transcript/byte-ledger.ts';
import { type Fields } from '../../shared/transcript/fields.ts';
import type { Line } from '../../shared/transcript/lines.ts';
import type { Talk } from './talk.ts';
/** What the person typed, and what went to the model in their name. */
export declare class Typed {
    #private;
    constructor(talk: Talk, blobs: Map<string, Uint8Array>);
    typed(line: Line, id: string, parts: unknown[]): Bucket;
    /** What the person typed, where only the message to the model tells it. */
    asked(line: Line, id: string, parts: unknown): Bucket;
    /** A command of the person's own, `!cmd`, as an item tells it. */
    ran(line: Line, item: Fields): Bucket;
    /** Reads a message that went to the model. `keyOf` names one that has no id. */
    sent(line: Line, payload: Fields, keyOf: (kind: string, words: string) => string): Bucket;
    /** What a subagent reports when the agent does not wait for it. */
    reported(line: Line, id: string, text: string): Bucket;
}
