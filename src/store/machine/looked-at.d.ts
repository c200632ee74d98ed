import type { IndexEntry } from '../../session/index-entry.ts';
/** How git's files were when a work tree was last looked through for what a merge has left. */
export interface LookedAt {
    /** Identifies git's index. */
    stamp: string;
    /** The commit. */
    head?: string | undefined;
    /** What a merge has left to do, and no verb that changes something has done yet. */
    left: Left[];
    /** Somebody is doing it: where nothing is left of one, it may be written and not committed. */
    begun?: true;
}
/** A conversation of which a merge has left something to do. Paths are workspace-relative. */
export interface Left {
    path: string;
    /**
     * `apart`: several conversations that began under one name are in its folder. `joined`: git kept two sides of its
     * session.json. `counted`: its numbers are those of one side. `failed`: what is left could not be told.
     */
    what: 'apart' | 'joined' | 'counted' | 'failed';
    /** The folders that the other conversations will get. */
    others?: string[];
    /** Its metadata as it will be, for lists, and the modification time of the session.json that this was told from. */
    session?: IndexEntry;
    mtimeMs: number;
}
/** Undefined where nothing is known; then everything is looked at anew. */
export declare function readLookedAt(local: string, root: string): LookedAt | undefined;
/** Where it cannot be written, the log says why, and the next look is a longer one. */
export declare function writeLookedAt(local: string, root: string, looked: LookedAt): void;
