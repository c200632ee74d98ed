import type { Message } from '../../session/schema.ts';
import { type FileEdit } from './edits.ts';
import { type Place, type Told } from './told.ts';
/** What a tool did to a file in a conversation: an edit, or only a look at it. */
export type Writing = FileEdit & {
    /** Relative to the root, with forward slashes. */
    file: string;
    place: Place;
};
/**
 * What the tools of these conversations did to files, the oldest first. A call that failed or was refused wrote nothing. What a
 * fork has copied counts for the conversation that it came from.
 */
export declare function writingsIn(root: string, told: readonly Told[]): Writing[];
export declare function resultsIn(messages: readonly Message[]): Map<string, Message>;
/**
 * A path of a tool call as one below the root; undefined for a file elsewhere. On another machine the work tree lay
 * elsewhere: there its folder's own name has to be in the path.
 */
export declare function insideOf(root: string, path: string): string | undefined;
