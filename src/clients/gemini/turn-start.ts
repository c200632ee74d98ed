import { answeredCalls, partsOf, textIn } from '../shared/genai/parts.ts'
import { listOf, textOf } from '../shared/transcript/fields.ts'
import { type Line, splitLines } from '../shared/transcript/lines.ts'
import { classifyUserRecord } from './read/said.ts'

/**
 * The byte offset of the record that begins the running turn: the last prompt without a final answer after it, or the
 * end if there is no such prompt. Gemini CLI (0.61.0) writes a tool call only when the call has ended. So an answer
 * whose tool still runs looks final, and counts as final. If a hook has `noted` the offset where a turn begins, no
 * answer counts: the turn begins at the last prompt from that offset on. If no prompt follows, it begins at that
 * offset.
 */
export function turnStart(bytes: Uint8Array, noted?: number): number {
  if (noted !== undefined) return lastPrompt(splitLines(bytes, Math.min(noted, bytes.length))) ?? noted
  const lines = splitLines(bytes)
  const answered = new Set(lines.flatMap(idIfCalling))
  for (const line of lines.toReversed()) {
    if (line.content.kind !== 'record') continue
    const { record } = line.content
    const parts = partsOf(record.content)
    if (record.type === 'gemini' && textIn(parts) !== '' && !answered.has(textOf(record.id))) break
    if (isPrompt(line)) return line.start
  }
  return bytes.length
}

function lastPrompt(lines: readonly Line[]): number | undefined {
  return lines.findLast(isPrompt)?.start
}

function isPrompt({ content }: Line): boolean {
  if (content.kind !== 'record' || content.record.type !== 'user') return false
  const { record } = content
  return answeredCalls(partsOf(record.content)) === undefined && classifyUserRecord(record).kind === 'prompt'
}

function idIfCalling({ content }: Line): string[] {
  if (content.kind !== 'record' || listOf(content.record.toolCalls).length === 0) return []
  return [textOf(content.record.id)]
}
