import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import { ensureFolder } from '../../io/ensure-folder.ts'
import { fileError } from '../../io/file-error.ts'
import { prunedEvents } from '../../session/pruning/event.ts'
import type { Message } from '../../session/schema.ts'
import { fileNameOf, recordFiles } from '../layout.ts'
import { readMessages } from './messages.ts'
import { readRawLines } from './read-lines.ts'

/**
 * Copies messages into the record of another folder: their lines of messages.jsonl, byte for byte, and what belongs to
 * them (the archive files that their events name, what subagents said, attachments). Files that are not here are
 * skipped.
 */
export function copyRecord(from: string, to: string, messages: readonly Message[]): void {
  const [source, target] = [recordFiles(from), recordFiles(to)]
  const files = [
    ...prunedEvents(messages).map(({ archive }) => archive),
    ...messages.flatMap((message) =>
      (message.tool_calls ?? []).map(({ id }) => `subagents/${fileNameOf(id)}.jsonl`),
    ),
    ...messages.flatMap(blobsOf).map((sha256) => `attachments/${fileNameOf(sha256)}`),
  ]
  ensureFolder(to, target.folder, 0o755)
  for (const file of new Set(files)) {
    const [before, after] = [join(source.folder, file), join(target.folder, file)]
    if (!existsSync(before)) continue
    ensureFolder(to, join(after, '..'), 0o755)
    copy(before, after)
  }
  writeFileAtomic(target.messages, linesOf(source.messages, messages))
}

function blobsOf({ attachments = [], truncated }: Message): string[] {
  return [...attachments.map(({ sha256 }) => sha256), ...(truncated === undefined ? [] : [truncated.sha256])]
}

/** All lines of these messages. The last line of the file may lack its line break. */
function linesOf(file: string, messages: readonly Message[]): Buffer {
  const ids = new Set(messages.map(({ id }) => id))
  const { lines, places } = readMessages(file)
  const raw = readRawLines(file)
  const kept = lines.flatMap(({ id }, index) => (ids.has(id) ? [raw[places[index]!]!] : []))
  return Buffer.concat(kept)
}

function copy(from: string, to: string): void {
  try {
    copyFileSync(from, to)
  } catch (error) {
    throw fileError(error, to, 'write')
  }
}
