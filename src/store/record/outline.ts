import { closeSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { CortextError } from '../../errors.ts'
import { accessFile } from '../../io/file-error.ts'
import { openInside } from '../../io/inside.ts'
import type { Message } from '../../session/schema.ts'
import { RECORD } from '../layout.ts'
import { ownMessageIn } from './read-lines.ts'

/** The place of a message's line in messages.jsonl, in bytes. */
const START = Symbol('start')
const BYTES = Symbol('bytes')
type Placed = Message & { [START]?: number; [BYTES]?: number }

/**
 * Returns a message without its texts and the arguments of its calls, which take the most memory. Keeps the ids, times
 * and numbers by which messages are ordered, counted and linked. Returns events whole.
 */
export function outlineOf(message: Message, start: number, bytes: number): Message {
  if (message.event !== undefined || bytes < SMALL) return message
  const { id, role, timestamp, tool_calls: calls } = message
  const outline: Placed = {
    id,
    role,
    content: '',
    timestamp,
    [START]: start,
    [BYTES]: bytes,
  }
  for (const key of KEPT) if (message[key] !== undefined) Reflect.set(outline, key, message[key])
  if (calls !== undefined)
    outline.tool_calls = calls.map((call) => ({ id: call.id, name: call.name, arguments: {} }))
  return outline
}

/** A line of fewer bytes stays as it is, because an outline of it would hardly be smaller. */
const SMALL = 300

const KEPT = [
  'client',
  'native_session',
  'seq',
  'author',
  'origin',
  'tool_call_id',
  'tool_name',
  'attachments',
  'truncated',
] as const

/** Whether the texts of a message have to be read again. */
export function isOutline(message: Message): boolean {
  return (message as Placed)[START] !== undefined
}

/** About the length of a message's line, in bytes, without reading it again. */
export function lengthOf(message: Message): number {
  return (message as Placed)[BYTES] ?? JSON.stringify(message).length
}

/** Reads the whole messages of outlines. */
export interface WholeMessages {
  /** Throws `unreadable` when the line is not there any more, because another process has rewritten the file. */
  of(outline: Message): Message
  close(): void
}

/**
 * Opens the record of a conversation's folder. Messages that are near each other in the file are read from the disk
 * together.
 */
export function openWhole(folder: string): WholeMessages {
  const fd = openInside(folder, RECORD.messages)
  const file = join(folder, RECORD.messages)
  let piece = Buffer.alloc(0)
  let from = 0
  const lineAt = (start: number, bytes: number): string => {
    if (start < from || start + bytes > from + piece.length) {
      const next = Buffer.allocUnsafe(Math.max(PIECE_BYTES, bytes))
      from = start
      const read = (from: number) =>
        accessFile(file, 'read', () => readSync(from, next, 0, next.length, start))
      piece = next.subarray(0, fd === undefined ? 0 : read(fd))
    }
    return piece.toString('utf8', start - from, start - from + bytes)
  }
  return {
    of(outline) {
      const { [START]: start, [BYTES]: bytes } = outline as Placed
      if (start === undefined || bytes === undefined) return outline
      // After a rewrite of the file, this place has no whole line.
      const whole = ownMessageIn(lineAt(start, bytes))
      if (whole?.id === outline.id && whole.timestamp === outline.timestamp) return whole
      throw new CortextError('unreadable', `${file} was rewritten while it was read`, {
        fix: 'run the command again',
      })
    },
    close() {
      if (fd !== undefined) closeSync(fd)
    },
  }
}

const PIECE_BYTES = 256 * 1024
