import { type Fields } from '../../shared/transcript/fields.ts';
import type { Line } from '../../shared/transcript/lines.ts';
/**
 * Knows what the talk consisted of at each line of each file. A file that goes on from another one names it and the
 * place in it (`history_base`): for a fork all that was said before is still there, after a rewind what lies behind that
 * place is taken back.
 */
export declare class Lineage {
    #private;
    /** The files that others go on from and that are not among them. */
    readonly missing: string[];
    /**
     * Begins a file. Returns the message behind which the talk goes on: that is `tip`, the last one, unless the file's
     * base ends before it.
     */
    begin(line: Line, meta: Fields, tip: string | null): string | null;
    /** Notes the end of a line, and the last message as it is then. */
    note(line: Line, ordinal: unknown, tip: string | null): void;
}
