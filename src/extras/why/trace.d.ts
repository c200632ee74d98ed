import { type Source } from '../../journeys/finding/search.ts';
import type { Workspace } from '../../workspace/open.ts';
import { type Traced } from './attribute.ts';
import { type Told } from './told.ts';
import { type Writing } from './writings.ts';
/** A file, and everything in the records that names it. */
export interface TracedFile extends Traced {
    /** The names that the file has had, relative to the root. */
    names: string[];
    /** Undefined where the file is not there any more. */
    text: string | undefined;
    /** The edits alone. */
    writings: readonly Writing[];
    sources: readonly Source[];
    told: readonly Told[];
}
/** Reads what git and the records know of a file. Throws `usage` for a file outside the workspace. */
export declare function trace(ws: Workspace, file: string, sources?: readonly Source[]): Promise<TracedFile>;
/** A file that was typed, and the line after it: `src/a.ts:12`, also with a column behind. */
export declare function fileAndLine(ws: Workspace, typed: string): {
    file: string;
    line?: number;
};
