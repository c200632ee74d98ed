import type { Message } from '../../../session/schema.ts';
import type { RawTranscript } from '../../contract/reading.ts';
/**
 * What subagents said, by the call that started them. Each subagent has a session file beside the transcript, named
 * after its session. The call names that session as `agentId`. The file is complete as soon as the call has ended.
 */
export declare function readSubagents(raw: RawTranscript, agents: ReadonlyMap<string, string>, blobs: Map<string, Uint8Array>): Record<string, Message[]>;
