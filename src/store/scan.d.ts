import { type ErrorCode } from '../errors.ts';
import { type IndexEntry } from '../session/index-entry.ts';
/** A conversation as the scan found it: with its index entry, with a problem, or with both. */
export interface Entry extends Content {
    /** The path of its folder relative to the root, with forward slashes. */
    path: string;
    /** The absolute path of its folder. */
    folder: string;
    /** The modification time of session.json in milliseconds; 0 when there is no such file. */
    mtimeMs: number;
    /** The folder is gone from the working tree, so the metadata backup is shown. */
    backupOnly?: true;
    /** This machine holds words or a state back that the work tree does not have yet. */
    held?: true;
    /** Where it lay when this machine wrote of it last, if its folder has been moved or renamed since. */
    before?: string[];
}
interface Content {
    session?: IndexEntry;
    problem?: Problem;
}
/** The problem of one file. `path` is absolute. */
interface Problem {
    code: ErrorCode;
    message: string;
    path: string;
    fix?: string;
}
export interface Scan {
    conversations: Entry[];
    /**
     * Paths of folders that are named like conversations and have no `.session/`: they are older than it, or it was
     * deleted. Relative to the root, sorted.
     */
    documents: string[];
}
/** Finds the conversations (scanConversations) and, in the same walk, the folders without a session. */
export declare function scanWorkspace(root: string, local: string, { keepIndex }?: {
    keepIndex?: boolean | undefined;
}): Scan;
/**
 * Finds every conversation below `root`, sorted by path, wherever its `.session/` lies, and those that only their
 * metadata backup still knows. It does not enter `.git`, `node_modules`, `.workspace`, symlinks and nested workspaces.
 * A session.json that cannot be read gives an entry with a problem. The parsed files are kept in an index
 * (file-index.ts), so that ten thousand conversations cost two `stat`s each. A caller that only looks passes
 * `keepIndex: false`; then nothing is written.
 */
export declare function scanConversations(root: string, local: string, options?: {
    keepIndex?: boolean;
}): Entry[];
export {};
