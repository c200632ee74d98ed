import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type PrunedEvent, prunedEvent, prunedEvents } from '../../session/pruned-event.ts'
import type { Message } from '../../session/schema.ts'
import { recordFiles } from '../layout.ts'
import { readMessages } from './messages.ts'
import type { Problem } from './problem.ts'

export interface RecordRead {
  /** The lines of messages.jsonl, in file order, without pruned lines. */
  lines: Message[]
  /**
   * The pruned lines, by id. They lie in archive files, even if a merge has brought some of them back to
   * messages.jsonl.
   */
  archived: ReadonlyMap<string, Message>
  problems: Problem[]
}

/**
 * Reads the messages of a conversation folder. A line counts as pruned when an archive file holds its id and
 * messages.jsonl holds the event that names this file. A file that no event names is left over from a prune or a
 * restore that crashed; messages.jsonl has all of its lines. Throws `unreadable` or `unsafe-path`.
 */
export function readRecord(folder: string): RecordRead {
  const files = recordFiles(folder)
  const { lines, places, problems } = readMessages(files.messages)
  const archived = new Map<string, Message>()
  for (const event of prunedEvents(lines)) {
    const path = prunedFile(folder, event)
    if (!existsSync(path)) {
      const line = places[lines.findIndex((one) => prunedEvent(one)?.archive === event.archive)]! + 1
      problems.push({ path: files.messages, line, kind: 'archive-missing', bytes: 0 })
    }
    for (const message of readMessages(path).lines) archived.set(message.id, message)
  }
  return {
    lines: archived.size === 0 ? lines : lines.filter(({ id }) => !archived.has(id)),
    archived,
    problems,
  }
}

export function prunedFile(folder: string, { archive }: Pick<PrunedEvent, 'archive'>): string {
  return join(recordFiles(folder).folder, archive)
}
