import type { ReadReport } from '../../contract/reading.ts';
import type { Line } from './lines.ts';
/** The bucket of a line. `dropped` names the rule, `unknown` the kind. */
export type Bucket = 'kept' | 'derived' | 'unreadable' | {
    dropped: string;
} | {
    unknown: string;
};
/** Counts where the bytes of a segment went. Each line is entered once, into one bucket. */
export declare class ByteLedger {
    #private;
    /** A rule leaves a text out of the line that is entered next. Its bytes, as JSON has them, count as dropped. */
    leaveOut(rule: string, text: string): void;
    enter(line: Line, bucket: Bucket): void;
    report(): ReadReport;
}
