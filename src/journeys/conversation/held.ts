import { lstatSync } from 'node:fs'
import { readMetadataBackup } from '../../store/machine/metadata-backup.ts'
import type { Workspace } from '../../workspace/open.ts'
import { findGitTop } from '../../workspace/root.ts'

/**
 * Whether git would show what we write beside a conversation's document. Then the work tree stays as it is from start to
 * stop, so that `git pull --rebase`, `checkout` and `stash` work at any moment.
 */
export function gitLooks({ config, root }: Pick<Workspace, 'config' | 'root'>): boolean {
  return config.visibility === 'shared' && findGitTop(root) !== undefined
}

/** Whether the end of a conversation's session was seen, and its words wait on this machine for a stop or a save. */
export function isHeldBack({ local }: Pick<Workspace, 'local'>, path: string): boolean {
  const backup = readMetadataBackup(local, path)
  return backup?.held !== undefined && backup.session.status !== 'active'
}

/** The inode of a conversation's folder; 0 where somebody has removed it. */
export function inodeOf(folder: string): number {
  return lstatSync(folder, { throwIfNoEntry: false })?.ino ?? 0
}
