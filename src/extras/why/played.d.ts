import type { BlamedCommit, Touching } from '../../workspace/git/blame.ts';
import type { Writing } from './writings.ts';
/** What became of a file between two commits, or since the last one. */
export interface Step {
    before: readonly string[];
    lines: readonly string[];
    /** In ms. */
    since: number;
    /** Undefined for what is not committed. */
    commit?: BlamedCommit;
}
/**
 * Plays the edits of a step. Those of the last moments may have been made before the commit or after it: as many of them
 * are taken as make the file most like the committed one, and no more. `made` is what comes out. `others` are the edits
 * that had no part in it, the newest first.
 */
export declare function played(steps: readonly Writing[], { before, lines, since, commit }: Step): {
    by: (Writing | undefined)[];
    made: readonly string[];
    others: Writing[];
};
/** When the last change was made; a rebase makes commits anew, and keeps that time. */
export declare function newest(touching: readonly Touching[]): number;
