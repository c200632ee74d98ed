import type { Message } from '../../../session/schema.ts';
import type { RawTranscript } from '../../contract/reading.ts';
/**
 * What subagents said, by the call that started them. Each has a rollout of its own. Where it began with the talk of its
 * parent, those lines stand there as copies, before the ordinal that the first line names.
 */
export declare function readSubagents(raw: RawTranscript, agents: ReadonlyMap<string, string>, blobs: Map<string, Uint8Array>): Record<string, Message[]>;
