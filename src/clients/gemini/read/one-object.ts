import { MAX_LINE } from '../../../io/regular-file.ts'
import { rescueList } from '../../shared/transcript/cut-json.ts'
import { isObject, jsonIn } from '../../shared/transcript/fields.ts'
import type { Line } from '../../shared/transcript/lines.ts'

/**
 * Reads a session file of older versions: one JSON object with all messages, usually over many lines. Such a file
 * becomes one line with one record. If the file was cut, the record has the complete messages, and a second, unreadable
 * line has the rest. A file that is too long is one unreadable line. Undefined for the present format, which has one
 * record a line.
 */
export function oneObject(bytes: Uint8Array): Line[] | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = buffer.indexOf('\n')
  // If the first line is more than a brace and another line follows, each line is a record.
  const isLoneBrace = end !== -1 && end < 100 && /^\ufeff?\s*\{\s*$/.test(buffer.toString('utf8', 0, end))
  if (!isLoneBrace && end !== -1 && end < buffer.length - 1) return undefined
  if (buffer.length > MAX_LINE) return [lineOf(0, bytes, { kind: 'unreadable' })]
  const text = buffer.toString('utf8')
  const whole = recordIn(text)
  if (whole !== undefined) return [lineOf(0, bytes, { kind: 'record', record: whole })]
  const rescued = rescueList(text, 'messages')
  const record = rescued === undefined ? undefined : recordIn(rescued.json)
  if (rescued === undefined || record === undefined) return undefined
  const read = Buffer.byteLength(text.slice(0, rescued.end))
  const rest = bytes.subarray(read)
  return [
    lineOf(0, bytes.subarray(0, read), { kind: 'record', record }),
    ...(rest.length === 0 ? [] : [{ ...lineOf(1, rest, { kind: 'unreadable' }), start: read }]),
  ]
}

function lineOf(number: number, bytes: Uint8Array, content: Line['content']): Line {
  return { number, seq: number, start: 0, bytes, content }
}

/** Undefined where the file is damaged, or was cut. */
function recordIn(text: string): Record<string, unknown> | undefined {
  const record = jsonIn(text.replace(/^\ufeff/, ''))
  return isObject(record) && Array.isArray(record.messages) ? record : undefined
}
