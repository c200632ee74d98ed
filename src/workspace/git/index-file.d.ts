/** The lock of git's index, which keeps everybody from committing. A git that is killed leaves it for ever. */
export interface IndexLock {
    path: string;
    made: Date;
    /** A git that works in this work tree, so that the lock may be its own. */
    git?: {
        pid: number;
        name: string;
    };
    /** Nobody holds it: no git works here, and it is older than a commit takes. */
    leftOver: boolean;
}
/** Undefined where git's index is not locked, and outside git. Only where there is /proc, a lock is known to be left over. */
export declare function indexLock(root: string, now?: Date): IndexLock | undefined;
/** What a person should know of it, and what to do. */
export declare function lockInWords(lock: IndexLock, now: Date): {
    what: string;
    fix: string;
};
/** Identifies the index of this work tree: every merge, checkout and commit changes it. Undefined outside git. */
export declare function indexStamp(root: string): string | undefined;
