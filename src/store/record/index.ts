import { join } from 'node:path'
import { isFileInside, statInside } from '../../io/inside.ts'
import { prunedEvents } from '../../session/pruning/event.ts'
import type { Message } from '../../session/schema.ts'
import { RECORD } from '../layout.ts'
import { MAX_LISTED, type Problem } from './problem.ts'
import { prunedFile, prunedFilesIn } from './pruned-files.ts'
import { readRawLines } from './read-lines.ts'
import { type MessagesRead, readMessages } from './read-messages.ts'

export interface RecordRead {
  /** The lines of messages.jsonl, in file order, without pruned lines. */
  lines: Message[]
  /** Every message of messages.jsonl, pruned or not, and in `places` the 0-based line of each. */
  all: Message[]
  places: number[]
  /**
   * The pruned messages, by id, from the archive files that events name. A merge may have brought some of their lines
   * back to messages.jsonl.
   */
  pruned: ReadonlyMap<string, Message>
  problems: Problem[]
  /** Identifies the files as they were read. It changes with every write to one of them. */
  stamp: string
  /** The bytes of the lines of messages.jsonl, kept only for callers that move or copy lines. */
  raw?: readonly Buffer[]
}

/** `keepRaw` keeps the bytes of the lines too; with `outlines`, long messages are without their texts (outline.ts). */
export interface ReadOptions {
  keepRaw?: boolean
  outlines?: boolean
}

/**
 * Reads the messages of a conversation folder. A line counts as pruned when an archive file contains its id and
 * messages.jsonl contains the event that names this file. A file that no event names is left over from a prune or a
 * restore that crashed; messages.jsonl has all of its lines. Returns `known` without reading anything if the files have
 * not changed since. Throws `unreadable` or `unsafe-path`.
 */
export function readRecord(
  folder: string,
  known?: RecordRead,
  { keepRaw = false, outlines = false }: ReadOptions = {},
): RecordRead {
  // The stamp is taken before reading, so that the next call reads a change that happens meanwhile.
  const stamp = recordStamp(folder)
  if (stamp === known?.stamp) return known
  const raw = keepRaw ? readRawLines(folder, RECORD.messages) : undefined
  const read = readMessages(folder, RECORD.messages, raw, outlines)
  return { ...recordOf(folder, read, readPruned(folder, read.lines)), stamp, ...(raw && { raw }) }
}

/** The messages of the archive files in `folder` that events among `lines` name, by id. */
export function readPruned(folder: string, lines: readonly Message[]): ReadonlyMap<string, Message> {
  const pruned = new Map<string, Message>()
  for (const event of prunedEvents(lines))
    for (const message of readMessages(folder, prunedFile(event)).lines) pruned.set(message.id, message)
  return pruned
}

/** Every message of messages.jsonl with the 0-based number of its line. A message can have several lines. */
export function placedIn({ all, places }: RecordRead): { message: Message; place: number }[] {
  return all.map((message, index) => ({ message, place: places[index]! }))
}

/** Returns the record after our own write without reading messages.jsonl again: `raw` is its present content. */
export function rewrittenRecord(
  folder: string,
  raw: readonly Buffer[],
  pruned: ReadonlyMap<string, Message>,
): RecordRead {
  const read = readMessages(folder, RECORD.messages, raw)
  return { ...recordOf(folder, read, pruned), stamp: recordStamp(folder), raw }
}

/** The bytes of the lines of messages.jsonl, if they were kept and the record's files have not changed since. */
export function keptRaw(folder: string, { raw, stamp }: RecordRead): readonly Buffer[] | undefined {
  return stamp === recordStamp(folder) ? raw : undefined
}

function recordOf(
  folder: string,
  { lines, places, problems }: MessagesRead,
  pruned: ReadonlyMap<string, Message>,
): Omit<RecordRead, 'stamp'> {
  const missing = prunedEvents(lines).filter((event) => !isFileInside(folder, prunedFile(event)))
  const path = join(folder, RECORD.messages)
  const problem = ({ place }: { place: number }, index: number): Problem => {
    const more = index + 1 === MAX_LISTED ? missing.length - MAX_LISTED : 0
    return { path, line: places[place]! + 1, kind: 'archive-missing', bytes: 0, ...(more > 0 && { more }) }
  }
  return {
    all: lines,
    places,
    lines: pruned.size === 0 ? lines : lines.filter(({ id }) => !pruned.has(id)),
    pruned,
    problems: [...problems, ...missing.slice(0, MAX_LISTED).map(problem)],
  }
}

/** Identifies everything that publishing writes into a conversation folder, as it is now, except session.json. */
export function publishedStamp(folder: string): string {
  const folders = [RECORD.attachments, RECORD.subagents].map((path) => statOf(folder, path))
  return [recordStamp(folder), ...folders].join('\n')
}

/** Identifies the files of a record as they are now. */
export function recordStamp(folder: string): string {
  const archives = prunedFilesIn(folder).map((archive) => prunedFile({ archive }))
  // Inode, size and times are enough, because our own writes either make a file longer or replace it.
  return [RECORD.messages, ...archives].map((path) => statOf(folder, path)).join('\n')
}

function statOf(folder: string, path: string): string {
  const stats = statInside(folder, path)
  return `${path} ${stats?.ino} ${stats?.size} ${stats?.mtimeNs} ${stats?.ctimeNs}`
}
