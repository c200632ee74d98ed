import type { Message } from '../../../session/schema.ts';
import { type Fields } from '../../shared/transcript/fields.ts';
/** One API message of the model. Claude Code writes it as several lines, one for each content block. */
export interface Answer {
    /** `message.id` of the API; empty when there is none. */
    apiId: string;
    message: Message;
    texts: string[];
    thoughts: string[];
}
/** What a line added to the answer: whether any block of it is known, and the blocks that are not. */
export interface Added {
    kept: boolean;
    hidden: boolean;
    unknown: Fields[];
}
/** Adds the blocks of one line to the answer. Text stays byte for byte. */
export declare function addBlocks(answer: Answer, record: Fields): Added;
