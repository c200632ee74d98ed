import type { Binding } from '../../store/machine/binding.ts'
import type { Workspace } from '../../workspace/open.ts'
import { findRoot } from '../../workspace/root.ts'

/**
 * Whether what a binding records is to be written in this work tree unasked: it was bound here, or where it was
 * bound is gone. All worktrees, and all workspaces of one repository, share the bindings of this machine.
 */
export function isOurs(ws: Workspace, { root }: Pick<Binding, 'root'>): boolean {
  return root === ws.root || findRoot(root) !== root
}
