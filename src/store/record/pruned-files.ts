import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { listNames } from '../../io/list-names.ts'
import type { PrunedEvent } from '../../session/pruning/event.ts'
import { recordFiles } from '../layout.ts'

/** Archives of a conversation folder, below `.session/`. */
export function prunedFilesIn(folder: string): string[] {
  const { archive } = recordFiles(folder)
  // Most have none, and asking costs less than failing to list it.
  return existsSync(archive) ? listNames(archive, '.jsonl').map((name) => `archive/${name}`) : []
}

/** The path of an archive that an event names. */
export function prunedFile(folder: string, { archive }: Pick<PrunedEvent, 'archive'>): string {
  return join(recordFiles(folder).folder, archive)
}
