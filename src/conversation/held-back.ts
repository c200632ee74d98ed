import { CortextError } from '../errors.ts'
import { heldAt, readMetadataBackup } from '../store/machine/metadata-backup.ts'
import type { Workspace } from '../workspace/open.ts'
import { findGitTop } from '../workspace/root.ts'

/**
 * Whether git would show the record that we write next to a conversation's document. Then a start, a resume or an
 * auto-pause does not write the record. So `git pull --rebase`, `checkout` and `stash` work as usual while the
 * conversation is open.
 */
export function gitSeesRecord({ config, root }: Pick<Workspace, 'config' | 'root'>): boolean {
  return config.visibility === 'shared' && findGitTop(root) !== undefined
}

/** Throws `refused` where git takes every conversation along. */
export function checkCanKeepHere(ws: Pick<Workspace, 'config' | 'root'>): void {
  if (gitSeesRecord(ws))
    throw new CortextError(
      'refused',
      'git tracks the conversations of this workspace, so none can be kept here',
      {
        fix: 'keep all of them out of the project: cortext init --private',
      },
    )
}

/**
 * Whether a conversation is not active and its talk waits on this machine for a stop or a save. Its talk waits if its
 * state was held back at `since` (in milliseconds) or later.
 */
export function waitsForStop({ local }: Pick<Workspace, 'local'>, path: string, since: number): boolean {
  const at = heldAt(local, path)
  return at !== undefined && at >= since && readMetadataBackup(local, path)?.session.status !== 'active'
}
