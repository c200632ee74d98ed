/** This file is part of the hook bundle: it imports only node's own modules. */
/**
 * This machine's copies of what lies in the workspace and can be made again from nothing else: documents, the record of
 * what has no journal, and the person's settings and prompts. `git clean -x` takes a private workspace away, because
 * git ignores it, and does not come into git's own folder, where the copies lie.
 */
/** Keeps the documents of a conversation: the markdown in its folder. Throws what files throw. */
export declare function keepDocuments(local: string, root: string, path: string): void;
/**
 * Keeps the record of a conversation that no journal holds. The copy is a second name of the same file where the disk
 * allows that, so that a long record costs nothing. Throws what files throw.
 */
export declare function keepRecord(local: string, root: string, path: string): void;
/** Keeps the settings, prompts, templates and memory of the workspace. Throws what files throw. */
export declare function keepWorkspaceFiles(local: string, root: string): void;
/**
 * Writes what is kept of a conversation into its folder, except where a file is there already. Returns the paths that
 * were written, relative to the root. Throws what files throw.
 */
export declare function bringBack(local: string, root: string, path: string): string[];
/** The same for the files of the workspace itself. */
export declare function bringBackWorkspaceFiles(local: string, root: string): string[];
/** Removes what is kept of a conversation. Throws `unwritable`. */
export declare function forgetCopies(local: string, path: string): void;
