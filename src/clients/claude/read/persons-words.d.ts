import { type Fields } from '../../shared/transcript/fields.ts';
import { type PersonsWords } from '../../shared/transcript/persons-words.ts';
/** A tool result, and what else the transcript tells of it. */
interface Answered {
    /** What the model was told. */
    text: string;
    /** The record that holds the result. */
    record: Fields;
    /** What the call asked for, where it was read. */
    asked: unknown;
}
/**
 * What the person said in a tool result: answers to the agent's questions, the words with which they refused a call, and
 * what they changed in a plan. Seen in 2.0.64 to 2.1.330; only the newest have `userFeedback`.
 */
export declare function personsWords({ text, record, asked }: Answered): PersonsWords;
export {};
