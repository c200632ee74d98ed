import { copyInside, writeInside } from '../../io/inside.ts'
import { prunedEvents } from '../../session/pruning/event.ts'
import type { Message } from '../../session/schema.ts'
import { fileNameOf, RECORD } from '../layout.ts'
import { placedIn, type RecordRead } from './index.ts'
import { prunedFile } from './pruned-files.ts'
import { readRawLines } from './read-lines.ts'

/**
 * Copies messages of a record into the record of another folder: their lines of messages.jsonl, byte for byte, and the
 * files that belong to them (`filesOf`). Skips files that are not here.
 */
export function copyRecord(from: string, record: RecordRead, to: string, messages: readonly Message[]): void {
  for (const path of filesOf(messages)) copyInside({ root: from, path }, { root: to, path })
  writeInside(to, RECORD.messages, rawLines(from, record, messages))
}

/** The paths below the conversation's folder of the files that belong to messages, whether or not the files exist. */
export function filesOf(messages: readonly Message[]): Set<string> {
  return new Set([
    ...prunedEvents(messages).map(prunedFile),
    ...messages.flatMap((message) => (message.tool_calls ?? []).map(({ id }) => subagentFile(id))),
    ...messages.flatMap(blobsOf).map(attachmentFile),
  ])
}

/** The file with what a subagent said, by the id of the call that started it. */
export function subagentFile(call: string): string {
  return `${RECORD.subagents}/${fileNameOf(call)}.jsonl`
}

export function attachmentFile(sha256: string): string {
  return `${RECORD.attachments}/${fileNameOf(sha256)}`
}

function blobsOf({ attachments = [], truncated }: Message): string[] {
  return [...attachments.map(({ sha256 }) => sha256), ...(truncated === undefined ? [] : [truncated.sha256])]
}

/** All lines of these messages. The last line of the file may lack its line break. */
function rawLines(folder: string, record: RecordRead, messages: readonly Message[]): Buffer {
  const ids = new Set(messages.map(({ id }) => id))
  const raw = record.raw ?? readRawLines(folder, RECORD.messages)
  return Buffer.concat(
    placedIn(record)
      .filter(({ message }) => ids.has(message.id))
      .map(({ place }) => raw[place]!),
  )
}
