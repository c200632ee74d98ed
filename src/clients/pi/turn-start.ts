import { type Fields, fieldsOf } from '../shared/transcript/fields.ts'
import { type Line, splitLines } from '../shared/transcript/lines.ts'
import { isOurs, typedIn } from './read/rules.ts'

/**
 * The byte offset of the line that begins the running turn: the last prompt without a final answer after it, or the
 * line before that prompt which says what the person typed. It is the end of the file when every prompt is answered.
 */
export function turnStart(bytes: Uint8Array): number {
  const lines = splitLines(bytes)
  /** Failed answers that Pi has dropped to try again. */
  const dropped = new Set<unknown>()
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index]!
    const record = recordIn(line)
    if (record === undefined || isOurs(record)) continue
    if (record.type === 'context_edit' && record.replacement === null) dropped.add(record.targetId)
    if (dropped.has(record.id)) continue
    const { role, stopReason } = fieldsOf(record.message)
    if (role === 'assistant' && stopReason !== 'toolUse') break
    if (role !== 'user') continue
    const before = lines[index - 1]
    return before !== undefined && typedIn(recordIn(before) ?? {}) !== undefined ? before.start : line.start
  }
  // The prompt of the running turn is perhaps not written yet, but what the person typed is.
  const last = lines.at(-1)
  return last !== undefined && typedIn(recordIn(last) ?? {}) !== undefined ? last.start : bytes.length
}

function recordIn({ content }: Line): Fields | undefined {
  return content.kind === 'record' ? content.record : undefined
}
