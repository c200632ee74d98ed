/** This file is part of the hook bundle: it uses no library, and starts git only where another user's folder is found. */
/** A repository that git itself would accept in this folder. */
export interface Repository {
    /** The top of the work tree. */
    top: string;
    /** Git's common directory: the `.git` of the main work tree, whichever linked worktree `top` is. */
    common: string;
    /** Git's directory of this work tree: `common`, or that of a linked worktree below it. */
    gitDir: string;
    /**
     * Whether the repository knows this work tree too: its `.git` is a folder with a repository of its own, or a file whose
     * target points back. A file, a link or a `commondir` that only leads to somebody's repository would let a folder from
     * elsewhere share that one's state.
     */
    knowsTop: boolean;
}
/**
 * The repository that `folder` lies in, by the files of gitrepository-layout(5). As git does, it passes by a `.git`
 * folder that is no repository, and stops at a `.git` file that leads to none and at a repository of another user.
 * Undefined outside git.
 */
export declare function findRepository(folder: string): Repository | undefined;
export declare function selfAndParents(folder: string): Generator<string>;
/**
 * The same folder in the other worktrees of its repository, whether or not it is there. Empty outside git. See
 * gitrepository-layout(5).
 */
export declare function otherCopies(folder: string): string[];
