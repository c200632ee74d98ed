import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { listNames } from '../../io/list-names.ts'
import type { PrunedEvent } from '../../session/pruning/event.ts'
import { recordFiles } from '../layout.ts'

/** The archive files of a conversation folder, by their path below `.session/`. */
export function prunedFilesIn(folder: string): string[] {
  const { archive } = recordFiles(folder)
  // Most conversations have no such folder, and this check costs less than a listing that fails.
  return existsSync(archive) ? listNames(archive, '.jsonl').map((name) => `archive/${name}`) : []
}

/** The path of the archive file that an event names. */
export function prunedFile(folder: string, { archive }: Pick<PrunedEvent, 'archive'>): string {
  return join(recordFiles(folder).folder, archive)
}
