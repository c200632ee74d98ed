import { heldAt, readMetadataBackup } from '../store/machine/metadata-backup.ts'
import type { Workspace } from '../workspace/open.ts'
import { findGitTop } from '../workspace/root.ts'

/**
 * Whether git would show the record that we write next to a conversation's document. If so, a start, a resume or an
 * auto-pause does not write the record, so that `git pull --rebase`, `checkout` and `stash` work while the conversation
 * is open.
 */
export function gitSeesRecord({ config, root }: Pick<Workspace, 'config' | 'root'>): boolean {
  return config.visibility === 'shared' && findGitTop(root) !== undefined
}

/**
 * Whether the conversation's talk waits on this machine for a stop or a save: its state was held back in the local
 * folder at `since` (in milliseconds) or later, and the conversation is not active.
 */
export function waitsForStop({ local }: Pick<Workspace, 'local'>, path: string, since: number): boolean {
  const at = heldAt(local, path)
  return at !== undefined && at >= since && readMetadataBackup(local, path)?.session.status !== 'active'
}
