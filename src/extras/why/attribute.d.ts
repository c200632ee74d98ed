import { type Blamed, type BlamedCommit, type Version } from '../../workspace/git/blame.ts';
import type { Workspace } from '../../workspace/open.ts';
import type { Writing } from './writings.ts';
/** A line of a file, and where it comes from. */
export interface Line {
    /** From 1. */
    number: number;
    text: string;
    /** The edit that wrote it; undefined where none in the record did. */
    by?: Writing;
    /** The commit that it came with; undefined for a line that HEAD does not have like that. */
    commit?: BlamedCommit;
}
/** What has to be known of a file to say where its lines come from. */
export interface Traced {
    ws: Workspace;
    file: string;
    blamed: Blamed | undefined;
    /** The edits of the file under each of its names, and looks at it, the oldest first. */
    steps: readonly Writing[];
    /** The lines of files in commits, in their order; none where one is not there. */
    linesAt: (versions: readonly Version[]) => Promise<(readonly string[])[]>;
}
/** Reads each version once. */
export declare function versionsOf({ root, environment }: Workspace): Traced['linesAt'];
/**
 * Says of each line which edit wrote it. Git's blame says with which commit a line came. The edits that were made between
 * the commit before and this one are played over the file as it was, and what comes out is compared with the file as it
 * was committed. Lines that are not committed are compared with HEAD in the same way. `only`: the lines that are asked
 * for, from 1. With `committed` the file is taken as HEAD has it.
 */
export declare function attribute(traced: Traced, { only, committed }?: {
    only?: ReadonlySet<number>;
    committed?: boolean;
}): Promise<Line[]>;
/** The names that a file has had, from the top of the work tree. */
export declare function namesIn(blamed: Blamed | undefined): Set<string>;
