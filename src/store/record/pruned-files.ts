import { listInside } from '../../io/inside.ts'
import type { PrunedEvent } from '../../session/pruning/event.ts'
import { RECORD } from '../layout.ts'

/** The archive files of a conversation folder, by their path below `.session/`. Throws `unsafe-path`. */
export function prunedFilesIn(folder: string): string[] {
  return listInside(folder, RECORD.archive, '.jsonl').map((name) => `archive/${name}`)
}

/** The archive file that an event names, by its path below the conversation's folder. */
export function prunedFile({ archive }: Pick<PrunedEvent, 'archive'>): string {
  return `${RECORD.folder}/${archive}`
}
