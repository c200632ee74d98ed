import type { Message, ToolCall } from '../../../session/schema.ts';
import type { Bucket } from '../../shared/transcript/byte-ledger.ts';
import { type Fields } from '../../shared/transcript/fields.ts';
import type { Line } from '../../shared/transcript/lines.ts';
import type { Talk } from './talk.ts';
/** What a line asks a tool to do; undefined when it is no call. */
export declare function callIn(payload: Fields): ToolCall | undefined;
/** The calls of a thread and what came of them. */
export declare class Calls {
    #private;
    /** The thread of a subagent → the call that started it. */
    readonly agents: Map<string, string>;
    constructor(talk: Talk, blobs: Map<string, Uint8Array>);
    /** Adds a call to the answer that makes it. */
    add(message: Message, call: ToolCall): void;
    output(line: Line, payload: Fields): Bucket;
    /** Reads what Codex noted of a call: how it ended, its whole output, which subagent it started. */
    note(line: Line, item: Fields): Bucket;
}
