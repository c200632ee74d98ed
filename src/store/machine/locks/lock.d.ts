/**
 * Runs `work` while no other process on this machine runs under the same name in this workspace. A lock whose owner
 * died is taken over. Not reentrant. Throws `locked`, naming the owner, after `patience` milliseconds of waiting.
 */
export declare function withLock<T>(local: string, name: string, work: () => T | Promise<T>, patience?: number): Promise<T>;
/** Does the same as `withLock` for a hook, which is synchronous: the process sleeps while it waits. */
export declare function withLockSync<T>(local: string, name: string, work: () => T, patience?: number): T;
export interface Held {
    path: string;
    pid: number;
    /** ISO 8601. */
    since: string;
    /** The process that took the lock has ended. */
    stale: boolean;
    /** What to do about it where it is held for too long. */
    wayOut: string;
}
/** Every lock of this machine that is taken now. */
export declare function listLocks(local: string): Held[];
/** Removes a stale lock, as the next process that wants it would. Returns false when the lock is held. */
export declare function removeStaleLock(path: string): boolean;
