import type { Message } from '../../../session/schema.ts';
import type { ByteLedger } from '../../shared/transcript/byte-ledger.ts';
import type { Line } from '../../shared/transcript/lines.ts';
import type { Before } from './before.ts';
import { type OpenCodeRecord } from './record.ts';
type MessageRecord = Extract<OpenCodeRecord, {
    type: 'message';
}>;
export interface ReaderContext {
    /** The session whose talk is read. Records of other sessions are handed to `subagent`. */
    session: string;
    /** The native session of the messages; for a subagent it is the root session. */
    nativeSession: string;
    blobs: Map<string, Uint8Array>;
    before: Before;
    /** The reader of the same session before the segment. It is called only when the person went back to there. */
    earlier(): TranscriptReader;
    /** The names of the configured MCP servers. */
    servers: readonly string[];
    subagent(line: Line, record: MessageRecord): void;
}
/** Reads the records of one session, in file order, into messages and events. */
export declare class TranscriptReader {
    #private;
    /** The messages in file order, events included. */
    readonly messages: Message[];
    /** A subagent's session id → the tool call that started it. */
    readonly agents: Map<string, string>;
    settled: boolean;
    model: string | undefined;
    /** The native ids of the first and the last message that were read. */
    from: string | undefined;
    to: string | undefined;
    constructor(context: ReaderContext);
    read(lines: readonly Line[], ledger: ByteLedger): void;
}
export {};
