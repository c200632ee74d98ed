import type { Outside } from '../io/state-file.ts';
/** This file is part of the hook bundle: it uses no library. */
/**
 * The folder for this machine's own state of a workspace: journal, bindings, index, locks, log. It lies in git's common
 * directory, so that every worktree shares it, no `stash`, `checkout` or `clean` reaches it, and no clone brings it. A
 * workspace in a sub-folder has a folder of its own, named by its path in the repository, because conversations are
 * known by their path in the workspace.
 *
 * Outside git it is a folder in `.workspace/local/` with a random name. A list in the person's home says which name
 * belongs to which workspace, so what came with a folder from elsewhere is never taken for our own. The first call adds
 * the workspace to the list; with `looks` nothing is written, and the folder returned then may not exist. The folder
 * itself is not made.
 *
 * A repository may be made around a workspace while a session is being recorded. The first call after that moves the
 * folder to its new place; where that is not possible, and with `looks`, the folder is used where it lies.
 *
 * Throws `unreadable`, `unwritable`, and `unsafe-path` where a repository that came as an archive has brought a local
 * folder with links in it.
 */
export declare function localDir(root: string, outside: Outside, { looks }?: {
    looks?: boolean | undefined;
}): string;
/** The top of a repository in which this machine has kept the files of a workspace; see store/machine/copies.ts. */
export declare function keptFor(folder: string, outside: Outside): string | undefined;
/** Where the local folders of a workspace outside git lie. */
export declare function localsOf(root: string): string;
/** Takes a workspace off the list, when its local folder is gone. Throws `unreadable` or `unwritable`. */
export declare function forgetLocal(root: string, local: string, outside: Outside): void;
