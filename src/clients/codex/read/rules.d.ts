import type { Bucket } from '../../shared/transcript/byte-ledger.ts';
import { type Fields } from '../../shared/transcript/fields.ts';
/** Messages of our own handoff seed have ids with this prefix, and its turn an id with the other one. */
export declare const SEED = "msg_cortext_";
export declare const SEED_TURN = "cortext-";
/** Lines of a rollout that hold nothing but the client's own state (0.169.0). */
export declare const STATE_LINES: Set<string>;
/** Items of tools: the call and its output are written by themselves. */
export declare const TOOL_ITEMS: Set<string>;
/** What a message in the request is, by the kinds that Codex marks its parts with; by its begin where it has no marks. */
export declare function kindOf(payload: Fields): 'said' | 'shell' | 'aborted' | 'skill' | 'hook' | 'system' | 'agent';
/** The texts of a message's parts, joined. */
export declare function textIn(content: unknown): string;
/** The summary of a compaction without the sentence that Codex puts before it for the model. */
export declare function summaryIn(message: string): string;
/** What becomes of an event that says nothing; undefined where it is not known. */
export declare function bucketOfEvent(type: string): Bucket | undefined;
/** The same of an item of the request. */
export declare function bucketOfItem(type: string): Bucket | undefined;
/** What an older event of the person's words holds, in the form of an item. */
export declare function partsOfEvent(payload: Fields): Fields[];
/** The person's own command, as it went to the model. */
export declare function shellIn(text: string): {
    command: string;
    output: string;
};
