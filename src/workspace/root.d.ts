/** This file is part of the hook bundle: it uses no library. */
/**
 * The nearest folder at or above `folder` that holds `.workspace/`, with symlinks resolved; undefined when there is
 * none. As git does with repositories, it passes by one of another user, who could have put it above a folder of ours
 * (in /tmp), unless it lies in a repository that git accepts.
 */
export declare function findRoot(folder: string): string | undefined;
/**
 * Makes the folder of a workspace if it is missing, and returns it with its links resolved. Throws node's own errors.
 */
export declare function makeRoot(folder: string): string;
/** The top of the git work tree that `folder` lies in. It is found without starting git. */
export declare function findGitTop(folder: string): string | undefined;
/** Git's common directory for `folder`: the `.git` of the main work tree. Undefined outside git. */
export declare function findGitCommonDir(folder: string): string | undefined;
/** Git's own directory of the work tree that `folder` lies in, where its index is. Undefined outside git. */
export declare function findGitDir(folder: string): string | undefined;
