import { SessionFile } from '../../session/schema.ts';
/**
 * This machine's copy of each session.json, named by the workspace-relative path of the conversation. When `git clean`,
 * `checkout` or `reset` took a conversation's folder away, the backup still knows it, and its journal still holds the
 * talk.
 */
export interface MetadataBackup {
    path: string;
    session: SessionFile;
    /**
     * The state is held back: the work tree gets it when the conversation is published. Until then the inode of its folder
     * tells where that was moved to.
     */
    held?: {
        folder: number;
    };
}
/** Writes the copy of what is published; nothing is held back any more. Throws what files throw. */
export declare function writeMetadataBackup(local: string, path: string, session: SessionFile): void;
/**
 * Holds the state of a conversation back from the work tree, beside the copy of what is published. `folder` is the place
 * of its folder. Throws likewise.
 */
export declare function holdMetadata(local: string, path: string, session: SessionFile, folder: string): void;
/** When the state of a conversation was held back last, in milliseconds; undefined where nothing is. */
export declare function heldAt(local: string, path: string): number | undefined;
/** What this machine knows last: what is held back, else the copy of what was published. */
export declare function readMetadataBackup(local: string, path: string): MetadataBackup | undefined;
/** The same state, held back or not, of a conversation whose folder lies elsewhere now. Throws likewise. */
export declare function moveMetadata(local: string, { session, held }: MetadataBackup, to: string): void;
/** Does nothing when there is no backup. */
export declare function removeMetadataBackup(local: string, path: string): void;
/** What is held back, and the backups of all paths but the `known` ones, whose files are not even opened. */
export declare function listMetadataBackups(local: string, known?: Iterable<string>): MetadataBackup[];
/**
 * The numbers of the conversations that this machine knows in a day's folder (workspace-relative), in any branch or
 * worktree. They are read from the file names, because opening all files would slow down every start.
 */
export declare function backedUpNumbers(local: string, day: string): number[];
