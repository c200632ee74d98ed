import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { withDefault } from '../errors.ts'
import type { Binding } from '../store/machine/binding.ts'
import type { BoundSegment } from '../store/machine/list-bindings.ts'
import { readMetadataBackup } from '../store/machine/metadata-backup.ts'
import { type Entry, scanConversations } from '../store/scan.ts'
import { loadConfig } from '../workspace/config.ts'
import { openWorkspace, type Workspace } from '../workspace/open.ts'
import { otherCopies } from '../workspace/repository.ts'
import { findRoot } from '../workspace/root.ts'
import { gitSeesRecord } from './held-back.ts'

/**
 * Whether this work tree may write the talk of a binding when no person asks for it. It may if the session was bound
 * here, or if the work tree where it was bound is gone. All worktrees and workspaces of one repository share the
 * bindings of this machine.
 */
export function isOurs(ws: Workspace, binding: Pick<Binding, 'root' | 'segments'>): boolean {
  const root = binding.segments.at(-1)?.root ?? binding.root
  return root === ws.root || findRoot(root) !== root
}

/** The segment in which a conversation was held last. Undefined if that was on another machine. */
export function lastSegment<T extends Pick<BoundSegment, 'segment'>>(segments: readonly T[]): T | undefined {
  return segments.toSorted((a, b) => (a.segment.started_at < b.segment.started_at ? -1 : 1)).at(-1)
}

/**
 * The roots of a private workspace in the other worktrees of its repository. A conversation may have a folder in each of
 * them. In a shared workspace there are none: another worktree has another branch.
 */
export function otherRoots(ws: Pick<Workspace, 'config' | 'root'>): string[] {
  return gitSeesRecord(ws) ? [] : otherCopies(ws.root).filter((root) => findRoot(root) === root)
}

/** The workspace in these other worktrees, without those whose settings cannot be read. */
export function otherTrees(ws: Workspace): Workspace[] {
  return otherRoots(ws).flatMap((root) =>
    withDefault<Workspace[]>([], () => [openWorkspace({ ...ws.environment, cwd: root }, root)]),
  )
}

/**
 * The folders of a conversation in the other worktrees, also those with a path that the folder had before it was moved
 * here.
 */
export function foldersElsewhere(ws: Workspace, path: string): { root: string; path: string }[] {
  const origin = readMetadataBackup(ws.local, path)?.session.origin
  return otherRoots(ws).flatMap((root) => {
    const moved = scanConversations(root, ws.local, { mayWrite: false }).filter(
      (one) => origin !== undefined && one.session?.origin === origin && one.backupOnly !== true,
    )
    return [...new Set([path, ...moved.map((one) => one.path)])].map((one) => ({ root, path: one }))
  })
}

/**
 * Returns the conversations whose folders were removed, for example by `git clean -x`, but which this machine can bring
 * back. Returns none where the project's git tracks conversations: the folders may be on another branch. A conversation
 * that is still in another worktree does not count.
 */
export function goneConversations(root: string, local: string, entries?: readonly Entry[]): string[] {
  const all = entries ?? scanConversations(root, local, { mayWrite: false })
  const gone = all.filter(({ backupOnly }) => backupOnly === true)
  if (gone.length === 0 || gitSeesRecord({ config: loadConfig(root), root })) return []
  const others = otherCopies(root)
  return gone.map(({ path }) => path).filter((path) => !others.some((other) => existsSync(join(other, path))))
}
