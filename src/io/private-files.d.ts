/**
 * Writes files that only this user may read. Their folders must exist. Throws `disk-full`, `unwritable` or
 * `unsafe-path`.
 */
export declare function writePrivateFiles(files: readonly {
    path: string;
    content: string;
}[]): void;
/** Removes files. A file that has gone already is no error. Throws node's own errors. */
export declare function removeFiles(files: readonly {
    path: string;
}[]): void;
