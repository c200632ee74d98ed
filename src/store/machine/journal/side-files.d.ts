export interface SideCopy {
    /** How many files had something to copy. */
    copied: number;
    /** Paths below the side folder that were left out, with the reason. */
    skipped: {
        path: string;
        why: SkipReason;
    }[];
}
type SkipReason = 'too many files' | 'too deep' | 'too large' | 'unreadable';
/**
 * Copies the files that belong to a transcript (moved outputs, subagents) into the folder `into`, whose parent must
 * exist. Only regular files are copied, and no symlink is followed. What a file has grown by is appended to its copy;
 * when a file was rewritten, the earlier copy stays as `<name>~1`, `<name>~2`, … A missing side folder counts as empty.
 * Two callers must not do this at once: it is done at publishing, under the lock.
 */
export declare function copySideFiles(sideFolder: string, into: string, limits?: {
    files: number;
    depth: number;
    bytes: number;
}): SideCopy;
/** One file of a session that lies among those of others, and its name among the copies. */
export interface SideFile {
    path: string;
    name: string;
}
/** The same for files that have no folder of their own. */
export declare function copyNamedFiles(files: readonly SideFile[], into: string, limits?: {
    files: number;
    depth: number;
    bytes: number;
}): SideCopy;
/** The paths of the copies, with forward slashes. Earlier versions of rewritten files are left out. */
export declare function listSideFiles(folder: string): string[];
/** The side files of a session as a copy would leave them now, without making the copy. */
export interface SideFilesAhead {
    /** The paths in the form of listSideFiles. */
    paths: string[];
    /** A text for each file that changes whenever the file does. */
    stamps: Readonly<Record<string, string>>;
    /** One file by its path; undefined when it is not there. Throws `unsafe-path` for a path that climbs. */
    read(path: string): Uint8Array | undefined;
}
/**
 * Reads the copies in `into` together with what their sources hold beyond them, and writes nothing. A source lies in
 * `folder` and is copied to the folder `below` of `into` ('' for `into` itself), or is a `named` file. The limits of
 * copySideFiles hold.
 */
export declare function readSideFilesAhead(into: string, sources: readonly {
    folder: string;
    below: string;
}[], named?: readonly SideFile[], limits?: {
    files: number;
    depth: number;
    bytes: number;
}): SideFilesAhead;
/**
 * One copy by its path below the folder; undefined when it is not there. Throws `unsafe-path` for a path that climbs.
 */
export declare function readSideFile(folder: string, path: string): Uint8Array | undefined;
export {};
