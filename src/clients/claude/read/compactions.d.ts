import type { Message } from '../../../session/schema.ts';
import { type Fields } from '../../shared/transcript/fields.ts';
import type { Line } from '../../shared/transcript/lines.ts';
import { type Thread } from './thread.ts';
/** Makes an event of each compaction: of its boundary, and of the summary that follows it. */
export declare class Compactions {
    #private;
    constructor(thread: Thread);
    boundary(line: Line, record: Fields): Message;
    /** Reads the text that the model continues with after a compaction. It belongs to the event before it. */
    summary(line: Line, record: Fields): void;
}
