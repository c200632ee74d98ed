/** This file is part of the hook bundle: it imports only node's own modules. */
/**
 * Makes `folder` and the missing folders between it and `root`. A symlink may lead to `root` itself. Throws
 * `unsafe-path` when `folder` is not below `root`, or when a symlink or a file lies on the way: what we write must land
 * where its name says.
 */
export declare function ensureFolder(root: string, folder: string, mode?: number): void;
