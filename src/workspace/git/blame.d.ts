import type { Environment } from '../../io/environment.ts';
/** What git knows of where the lines of a file come from. Only commits are compared: no filter of the tree is run. */
/** The commit that a line came with, and the file as it was called there and in the commit before. */
export interface BlamedCommit {
    sha: string;
    author: string;
    /** In ms: when the commit was made, not when its change was first committed. */
    time: number;
    subject: string;
    /** From the top of the work tree. */
    path: string;
    /** The last version without these lines; undefined where the file came with the commit. */
    previous?: Version;
}
export interface Blamed {
    head: string;
    /** For each line of the file in that commit. */
    lines: {
        commit: BlamedCommit;
        line: number;
    }[];
}
/**
 * Git's blame of a file (relative to `root`) as HEAD has it, or another commit; undefined where that has none, and outside
 * git. With `moves` a line that was moved within the file came with the commit that wrote it.
 */
export declare function blame(root: string, env: Environment['env'], path: string, { commit, moves }?: {
    commit?: string;
    moves?: boolean;
}): Promise<Blamed | undefined>;
/** The present commit; undefined before the first one, and outside git. */
export declare function headOf(root: string, env: Environment['env']): Promise<string | undefined>;
/** A file (from the top of the work tree) in a commit. */
export interface Version {
    sha: string;
    path: string;
}
/** The texts of files in commits, in their order; undefined where a file is not there. One git reads them all. */
export declare function textsAt(root: string, env: Environment['env'], versions: readonly Version[]): Promise<(string | undefined)[]>;
/** The same for texts by git's names for them: `<commit>:<path>`, or the id of a blob. */
export declare function textsNamed(root: string, env: Environment['env'], names: readonly string[]): Promise<(string | undefined)[]>;
/** A commit that changed a file. */
export interface Touching {
    sha: string;
    /** In ms: when the change was first committed, and when this commit was made. A rebase keeps the first. */
    authored: number;
    time: number;
    /** The commits before it that changed the file. */
    before: string[];
}
/** The commits up to HEAD that changed one of these files (from the top of the work tree), newest first. */
export declare function commitsTouching(root: string, env: Environment['env'], paths: readonly string[]): Promise<Touching[]>;
/**
 * The files that a commit took away and that git does not take for renamed, as they were in the commit before. None for a
 * merge and for the first commit.
 */
export declare function removedWith(root: string, env: Environment['env'], sha: string): Promise<Version[]>;
/** The message of a commit; undefined where there is no such commit here. */
export declare function messageOfCommit(root: string, env: Environment['env'], sha: string): Promise<string | undefined>;
/** The commits up to HEAD whose message holds a text, newest first. */
export declare function commitsSaying(root: string, env: Environment['env'], text: string): Promise<string[]>;
/** The full names of commits that are in this repository, by the shortened ones. */
export declare function fullNames(root: string, env: Environment['env'], ids: readonly string[]): Promise<Map<string, string>>;
/** A path from the top of the work tree, relative to `root`; undefined for one that is not below it. */
export declare function fromRoot(root: string, path: string): string | undefined;
/** A path relative to `root` as git names it, from the top of the work tree; undefined outside git. */
export declare function fromTop(root: string, path: string): string | undefined;
