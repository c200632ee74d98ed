import type { Binding } from '../store/machine/binding.ts'
import type { Workspace } from '../workspace/open.ts'
import { findRoot } from '../workspace/root.ts'

/**
 * Whether what a binding records may be written in this work tree without asking: it was bound here, or the work tree
 * where it was bound is gone. All worktrees and workspaces of one repository share the bindings of this machine.
 */
export function isOurs(ws: Workspace, { root }: Pick<Binding, 'root'>): boolean {
  return root === ws.root || findRoot(root) !== root
}
