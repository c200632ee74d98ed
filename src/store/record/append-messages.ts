import type { Message } from '../../session/schema.ts'
import { RECORD } from '../layout.ts'
import { appendLines } from './append-lines.ts'
import { keptRaw, type RecordRead, recordStamp } from './index.ts'

/**
 * Appends messages to the record of a conversation folder. If git has removed the folder, the folder is made again.
 * Throws the errors of appendLines.
 */
export function appendMessages(folder: string, messages: readonly Message[]): void {
  appendLines(
    folder,
    RECORD.messages,
    messages.map((json) => ({ json })),
  )
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
