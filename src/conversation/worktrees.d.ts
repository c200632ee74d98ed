import type { Binding } from '../store/machine/binding.ts';
import { type Entry } from '../store/scan.ts';
import type { Workspace } from '../workspace/open.ts';
/**
 * Whether what a binding records may be written in this work tree without asking: it was bound here, or the work tree
 * where it was bound is gone. All worktrees and workspaces of one repository share the bindings of this machine.
 */
export declare function isOurs(ws: Workspace, { root }: Pick<Binding, 'root'>): boolean;
/**
 * The conversations whose folders somebody has removed, as `git clean -x` does, and that this machine can bring back. In
 * a shared workspace they may just lie on another branch, so none counts there; nor does one that lies in another
 * worktree.
 */
export declare function goneConversations(root: string, local: string, entries?: readonly Entry[]): string[];
