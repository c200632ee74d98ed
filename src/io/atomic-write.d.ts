/** This file is part of the hook bundle: it imports only node's own modules. */
/** The ending of temporary files. A crash may leave one behind, so git should ignore `*.cortext-tmp`. */
export declare const TEMP_SUFFIX = ".cortext-tmp";
export interface AtomicWriteOptions {
    /** The permissions of the file. Default: those of the replaced file, else 0644 less the umask. */
    mode?: number;
    /** Throws `unsafe-path` when the target is a symlink. Without this option the file behind the link is replaced. */
    refuseSymlink?: boolean;
    /** False skips the fsyncs, for a file that may be lost in a power cut. Default: true. */
    durable?: boolean;
}
/**
 * Replaces a file as a whole. A reader sees the old content or the new one, and a crash leaves one of them. The folder
 * must exist. Throws `disk-full`, `unwritable` or `unsafe-path`; then the old file is untouched.
 */
export declare function writeFileAtomic(path: string, content: string | Uint8Array, options?: AtomicWriteOptions): void;
/** Makes names that were created, renamed or removed in a folder survive a power cut. */
export declare function syncFolder(folder: string): void;
