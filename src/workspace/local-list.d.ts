import { type Outside } from '../io/state-file.ts';
/**
 * This file is part of the hook bundle: it uses no library. It keeps a list in the person's home that says which local
 * folders this machine has made or looked through, and for which workspace.
 */
/** A line is about a local folder outside git, or about one in git's directory that was looked through. */
export interface Line {
    /** The folder's random name, or IN_GIT. */
    name: string;
    /** The workspace's root, with its links resolved; of one in git's directory, the local folder itself. */
    root: string;
}
export declare const IN_GIT = "git";
/** Every line, in the order in which they were written. Throws `unreadable`. */
export declare function readList(outside: Outside): Line[];
/** Adds a line. Throws `unwritable`. */
export declare function addToList(outside: Outside, line: Line): void;
/** Takes lines off the list. Throws `unreadable` or `unwritable`. */
export declare function takeOffList(outside: Outside, isGone: (line: Line) => boolean): void;
