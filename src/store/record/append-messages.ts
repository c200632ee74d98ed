import { newLines } from '../../session/reconcile.ts'
import type { Message } from '../../session/schema.ts'
import { RECORD } from '../layout.ts'
import { appendLines } from './append-lines.ts'
import { subagentFile } from './copy-record.ts'
import { keptRaw, type RecordRead, recordStamp } from './index.ts'
import { readMessages } from './read-messages.ts'

/**
 * Appends messages to the record of a conversation folder. If git has removed the folder, the folder is made again.
 * Throws the errors of appendLines.
 */
export function appendMessages(folder: string, messages: readonly Message[]): void {
  appendLines(folder, RECORD.messages, messages)
}

/**
 * Like `appendMessages`, but also returns the record with the new messages, so that the caller need not read it again.
 * `known` must have its raw lines and be up to date, and its last line must not be torn. Otherwise returns `known`,
 * whose stamp is out of date if lines were appended.
 */
export function appendToRecord<Known extends RecordRead>(
  folder: string,
  messages: readonly Message[],
  known: Known,
): Known {
  const raw = keptRaw(folder, known)
  appendMessages(folder, messages)
  // If the last line is torn, the append adds a line break to it, so `raw` is out of date.
  if (raw === undefined || messages.length === 0 || raw.at(-1)?.at(-1) !== BREAK) return known
  return {
    ...known,
    lines: [...known.lines, ...messages],
    all: [...known.all, ...messages],
    places: [...known.places, ...messages.map((_, index) => raw.length + index)],
    raw: [...raw, ...messages.map((message) => Buffer.from(`${JSON.stringify(message)}\n`))],
    stamp: recordStamp(folder),
  }
}

const BREAK = 0x0a

/**
 * Appends what subagents said to their files in a conversation folder. The keys of `subagents` are the ids of the tool
 * calls that started them. Lines that a file already has are not written again. Throws `disk-full`, `unwritable`,
 * `unreadable` or `unsafe-path`.
 */
export function appendSubagents(
  folder: string,
  subagents: Readonly<Record<string, readonly Message[]>>,
): void {
  for (const [call, messages] of Object.entries(subagents)) {
    if (messages.length === 0) continue
    const file = subagentFile(call)
    appendLines(folder, file, newLines(readMessages(folder, file).lines, messages))
  }
}
