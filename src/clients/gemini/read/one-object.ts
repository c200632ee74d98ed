import { isObject } from '../../transcript/fields.ts'
import type { Line } from '../../transcript/lines.ts'

/**
 * Reads a session file of older versions: one JSON object with all messages, usually over many lines, becomes one
 * record of all its bytes. Undefined for the present format, which has one record a line.
 */
export function oneObject(bytes: Uint8Array): Line | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = text.indexOf('\n')
  // A first line that is more than a brace is a record by itself, unless it is the only line.
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
    // The file is damaged or being written. Its lines are reported as unreadable.
    return undefined
  }
}
