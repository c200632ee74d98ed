import { isObject } from '../../transcript/fields.ts'
import type { Line } from '../../transcript/lines.ts'

/**
 * A session file of older versions: one JSON object that holds all messages, usually over many lines. It is one record
 * of all its bytes; undefined for the present format, a record a line.
 */
export function oneObject(bytes: Uint8Array): Line | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = text.indexOf('\n')
  // A first line that is more than a brace is a record of its own, unless it is the only one.
  const many = end !== -1 && text.toString('utf8', 0, end).trim() === '{'
  if (!many && end !== -1 && end < text.length - 1) return undefined
  const record = parse(text.toString('utf8'))
  if (!isObject(record) || !Array.isArray(record.messages)) return undefined
  return { number: 0, seq: 0, start: 0, bytes, content: { kind: 'record', record } }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Damaged, or being written: its lines are told as unreadable.
    return undefined
  }
}
