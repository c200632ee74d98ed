import { type Line, splitLines } from '../shared/transcript/lines.ts'
import { isFinal, recordIn } from './read/record.ts'

/**
 * `turnStart` first searches only this many bytes at the end. If they contain neither a prompt nor a final answer, it
 * reads the whole transcript.
 */
const NEAR_BYTES = 1024 * 1024

/**
 * The byte offset of the record that begins the running turn: the last prompt without a final answer after it. It is
 * the end of the transcript when every prompt is answered.
 */
export function turnStart(bytes: Uint8Array): number {
  const root = rootSession(bytes)
  const near = Math.max(0, bytes.length - NEAR_BYTES)
  const found = lastOpenPrompt(splitLines(bytes, near), root)
  if (found !== undefined || near === 0) return found ?? bytes.length
  return lastOpenPrompt(splitLines(bytes), root) ?? bytes.length
}

/** The session that the transcript is about. The first record names it. */
function rootSession(bytes: Uint8Array): string | undefined {
  const end = bytes.indexOf(10)
  const [line] = splitLines(bytes, 0, end === -1 ? bytes.length : end)
  const record = line === undefined ? undefined : recordIn(line)
  return record?.type === 'session' ? record.id : undefined
}

/**
 * Returns the offset of the last prompt, or the end of the lines if a final answer follows it. Undefined when the lines
 * contain neither a prompt nor a final answer.
 */
function lastOpenPrompt(lines: readonly Line[], root: string | undefined): number | undefined {
  const last = lines.at(-1)
  for (const line of lines.toReversed()) {
    const record = recordIn(line)
    if (record?.type !== 'message' || (root !== undefined && record.session !== root)) continue
    if (record.info.role === 'user') return line.start
    if (isFinal(record.info) && last !== undefined) return last.start + last.bytes.length
  }
  return undefined
}
