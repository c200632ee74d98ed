import { listOf, textOf } from '../transcript/fields.ts'
import { type Line, splitLines } from '../transcript/lines.ts'
import { answeredCalls, partsOf, textIn } from './read/parts.ts'
import { sortSaid } from './read/said.ts'

/**
 * The byte offset of the record with which the running turn begins: the last prompt without a final answer behind it,
 * or the end if there is none. 0.61.0 writes a tool call when it has ended, so without our hooks an answer whose tool
 * still runs looks like a final one, and counts as one.
 */
export function turnStart(bytes: Uint8Array): number {
  const lines = splitLines(bytes)
  const answered = new Set(lines.flatMap(answerWithCalls))
  for (const line of lines.toReversed()) {
    if (line.content.kind !== 'record') continue
    const { record } = line.content
    const parts = partsOf(record.content)
    if (record.type === 'gemini' && textIn(parts) !== '' && !answered.has(textOf(record.id))) break
    if (record.type !== 'user' || answeredCalls(parts) !== undefined) continue
    if (sortSaid(record).kind === 'prompt') return line.start
  }
  return bytes.length
}

function answerWithCalls({ content }: Line): string[] {
  if (content.kind !== 'record' || listOf(content.record.toolCalls).length === 0) return []
  return [textOf(content.record.id)]
}
