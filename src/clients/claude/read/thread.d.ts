import type { Message } from '../../../session/schema.ts';
import { type Fields } from '../../shared/transcript/fields.ts';
import type { Line } from '../../shared/transcript/lines.ts';
import type { Before } from './before.ts';
import { Chain } from './chain.ts';
/** The messages of one thread of records, and where each record stands among them. */
export declare class Thread {
    #private;
    readonly messages: Message[];
    readonly chain: Chain;
    /** `earlier` reads what lies before the segment. It is called only when the person went back to there. */
    constructor(nativeSession: string, before: Before, earlier: () => Thread);
    /** When the current record was written. A record without a time has the time of the record before it. */
    set time(value: unknown);
    /** Appends a message. The caller enters its record in the chain. */
    push(line: Line, record: Fields, id: string, role: Message['role'], content: Message['content']): Message;
    /** Keeps, raw, what no rule knows. */
    unknown(line: Line, record: Fields, raw: unknown, ...parts: string[]): void;
    /**
     * Notes a rewind when a person went back: what they say now hangs on an earlier message, and what lay between is off
     * the live path.
     */
    markRewind(line: Line, record: Fields): void;
}
/** A record without a uuid has the hash of its line for an id. */
export declare function nativeIdOf(line: Line, record: Fields): string;
