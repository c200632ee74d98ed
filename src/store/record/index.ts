import { existsSync, statSync } from 'node:fs'
import { prunedEvent, prunedEvents } from '../../session/pruning/event.ts'
import type { Message } from '../../session/schema.ts'
import { recordFiles } from '../layout.ts'
import { readMessages } from './messages.ts'
import type { Problem } from './problem.ts'
import { prunedFile, prunedFilesIn } from './pruned-files.ts'

export interface RecordRead {
  /** The lines of messages.jsonl, in file order, without pruned lines. */
  lines: Message[]
  /** Every message of messages.jsonl with its line there, 0-based. A message can have several lines. */
  placed: { message: Message; place: number }[]
  /**
   * The pruned lines, by id. They lie in archive files, even if a merge has brought some of them back to
   * messages.jsonl.
   */
  pruned: ReadonlyMap<string, Message>
  problems: Problem[]
  /** Identifies the files as they were read. It changes with every write to one of them. */
  stamp: string
}

/**
 * Reads the messages of a conversation folder. A line counts as pruned when an archive file holds its id and
 * messages.jsonl holds the event that names this file. A file that no event names is left over from a prune or a
 * restore that crashed; messages.jsonl has all of its lines. If the files are still those that `known` was read from,
 * it is returned without reading. Throws `unreadable` or `unsafe-path`.
 */
export function readRecord(folder: string, known?: RecordRead): RecordRead {
  const files = recordFiles(folder)
  // The stamp is taken before reading, so that a change meanwhile is read the next time.
  const stamp = stampOf([
    files.messages,
    ...prunedFilesIn(folder).map((archive) => prunedFile(folder, { archive })),
  ])
  if (stamp === known?.stamp) return known
  const { lines, places, problems } = readMessages(files.messages)
  const pruned = new Map<string, Message>()
  for (const event of prunedEvents(lines)) {
    const path = prunedFile(folder, event)
    if (!existsSync(path)) {
      const line = places[lines.findIndex((one) => prunedEvent(one)?.archive === event.archive)]! + 1
      problems.push({ path: files.messages, line, kind: 'archive-missing', bytes: 0 })
    }
    for (const message of readMessages(path).lines) pruned.set(message.id, message)
  }
  return {
    placed: lines.map((message, index) => ({ message, place: places[index]! })),
    lines: pruned.size === 0 ? lines : lines.filter(({ id }) => !pruned.has(id)),
    pruned,
    problems,
    stamp,
  }
}

/** This is enough, because our own writes either make a file longer or replace it. */
function stampOf(paths: readonly string[]): string {
  return paths
    .map((path) => {
      const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
      return `${path} ${stats?.ino} ${stats?.size} ${stats?.mtimeNs} ${stats?.ctimeNs}`
    })
    .join('\n')
}
