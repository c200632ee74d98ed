import { type Fields } from '../../shared/transcript/fields.ts';
import type { Line } from '../../shared/transcript/lines.ts';
import type { Before } from './before.ts';
/** A prompt in the queue, with the record that told of it last. */
export interface Queued {
    prompt: string;
    line: Line;
    record: Fields;
    /** Whether the agent worked when it was typed. */
    busy: boolean;
}
/**
 * Follows prompts that were typed while the agent worked. Each of them passes through this queue. Most leave it by
 * `dequeue` and then stand in a user record. What was given to the agent within the turn leaves it by `remove`; a
 * `queued_command` attachment may tell of it, before or behind that (2.1.133 and newer). Other versions (seen: 2.0.64 to
 * 2.1.42, 2.1.91) leave only this trace of such a prompt, also where they write attachments of other kinds.
 */
export declare class PromptQueue {
    #private;
    constructor(before: Before);
    step(line: Line, record: Fields, busy: boolean): void;
    /** Another record told what was said: it is no matter of the queue any more. */
    told(prompt: string, byAttachment: boolean): void;
    /** What was given to the agent and is told by no other record, now that the talk goes on. */
    goOn(): Queued[];
    /** What was left when the client ended while the agent worked. An idle agent is given a prompt at once. */
    rest(): Queued[];
}
