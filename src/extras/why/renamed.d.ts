import { type Source } from '../../journeys/finding/search.ts';
import { type Blamed } from '../../workspace/git/blame.ts';
import type { Workspace } from '../../workspace/open.ts';
import type { Traced } from './attribute.ts';
type LinesAt = Traced['linesAt'];
/**
 * Follows the lines of a file through renames that git does not see. Git takes a file for a new one when it was renamed in
 * the commit in which more than half of it changed. The records know what tools had made of the old file until then: when
 * that is the new one by git's own measure, then the file was renamed.
 */
export declare function throughRenames(ws: Workspace, blamed: Blamed, sources: readonly Source[], linesAt: LinesAt): Promise<Blamed>;
export {};
