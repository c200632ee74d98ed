import type { Environment } from '../../io/environment.ts';
/** The questions that we ask git. None of them writes, not even to refresh the index. */
export type RepositoryState = {
    /** The full sha of the commit; absent before the first one. */
    head?: string;
    /** The branch, also before its first commit. Absent when HEAD is detached. */
    branch?: string;
    /** Whether a tracked file differs from the commit. Untracked files do not count, nor does what we write ourselves. */
    dirty: boolean;
};
/** The state of the repository of `root`; undefined outside git, and when git cannot be asked. */
export declare function repositoryState(root: string, env: Environment['env']): Promise<RepositoryState | undefined>;
export interface Status {
    at: {
        head?: string;
        branch?: string;
    };
    /**
     * What differs from HEAD, with paths relative to `root`. `unindexed`: HEAD still has the path, the index does not.
     */
    changes: {
        path: string;
        untracked: boolean;
        unindexed?: boolean;
    }[];
    /** Existing files or folders that git was told to ignore. */
    ignored: string[];
}
/** Git's status of some paths (relative to `root`) or of everything. Throws git's words. */
export declare function statusOf({ root, env, paths, untracked }: StatusQuestion): Promise<Status>;
/** Whether HEAD holds everything at and below these paths as it is on disk. */
export declare function isCommitted(root: string, env: Environment['env'], paths: readonly string[]): Promise<boolean>;
/** What HEAD has of a path: nothing, or all but so many files that differ and so many that git ignores. */
export type InHead = {
    held: false;
} | {
    held: true;
    changed: number;
    ignored: number;
};
/** What HEAD has of what lies at and below a path; undefined outside git, and when git cannot be asked. */
export declare function inHead(root: string, env: Environment['env'], path: string): Promise<InHead | undefined>;
/** Whether HEAD lacks something at and below a path that git would take. */
export declare function isChanged(root: string, env: Environment['env'], path: string): Promise<boolean>;
interface StatusQuestion {
    root: string;
    env: Environment['env'];
    paths?: readonly string[];
    untracked?: boolean;
}
/** A path that git takes literally: `*`, `?` and `:` in a name have no meaning. */
export declare function literal(path: string): string;
/** What happened in the repository since a session was saved. Undefined when the saved commit is not known here. */
export interface Changes {
    /** Commits made since: those that HEAD reaches and the saved commit does not. */
    commits: number;
    /** The given paths whose content has changed. */
    changed: string[];
}
/**
 * What changed since `head`. If the work tree was clean then, it is compared as it is on disk now. If it was `dirty`,
 * only commits are compared, because an edit of the session itself would pass for a change since. `paths` are relative
 * to `root`; paths outside the repository are skipped.
 */
export declare function changesSince(question: {
    root: string;
    env: Environment['env'];
    head: string;
    dirty?: boolean;
    paths: readonly string[];
    /** Commits that touch only these paths do not count, because they are a conversation's own saves. */
    except?: readonly string[];
}): Promise<Changes | undefined>;
/** Whether the repository of `root` has a remote. False outside git. */
export declare function hasRemote(root: string, env: Environment['env']): Promise<boolean>;
/** The name that git gives to commits of this person; undefined where none is set. Git's own guesses do not count. */
export declare function userName(root: string, env: Environment['env']): Promise<string | undefined>;
/** The files below `root` that git tracks, relative to it; none outside git. */
export declare function trackedFiles(root: string, env: Environment['env']): Promise<string[]>;
/** Whether git has a path (relative to `root`) in its index. False outside git, and when git cannot be asked. */
export declare function isTracked(root: string, env: Environment['env'], path: string): Promise<boolean>;
/**
 * What git's attributes say about a path (relative to `root`), which need not exist; see git-check-attr(1). Throws git's
 * words.
 */
export declare function attributesOf(root: string, env: Environment['env'], path: string, names: readonly string[]): Promise<Record<string, string>>;
/** Which of these paths (relative to `root`, existing or not) git ignores. Tracked files are never ignored. */
export declare function isIgnored(root: string, env: Environment['env'], paths: readonly string[]): Promise<string[]>;
export {};
