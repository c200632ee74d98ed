import type { FileEdit } from './edits.ts';
export interface Replayed<E> {
    /** For each line of the file as it became, the edit that wrote it; undefined for one that none of them wrote. */
    by: (E | undefined)[];
    /** The lines that come out. */
    made: readonly string[];
    /** Edits that did not find their place: somebody else had changed the file before them. */
    loose: E[];
    /** How many lines of the file as it became come out of the edits. */
    like: number;
    /** How many lines the outcome of the edits has that the file as it became has not, and the other way round. */
    unlike: number;
}
/**
 * Plays edits in their order over a file as it was, and compares the outcome with the file as it became. A line that is
 * in the outcome and in the file has the edit that wrote it; lines that somebody else wrote meanwhile have none. A line
 * such as `}` counts only between lines of the same edit.
 */
export declare function replay<E extends FileEdit>(before: readonly string[], edits: readonly E[], after: readonly string[]): Replayed<E>;
/** The whole lines that an edit writes, wherever they go, without those that say nothing: in rows without a gap. */
export declare function rowsWritten(edit: FileEdit): string[][];
/** All of them, one after the other. */
export declare function linesWritten(edit: FileEdit): string[];
