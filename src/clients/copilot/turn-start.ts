import { fieldsOf } from '../shared/transcript/fields.ts'
import { splitLines } from '../shared/transcript/lines.ts'
import { agentOf, isFinal, isSeed, isTyped } from './read/rules.ts'

/**
 * The byte offset of the prompt of the running turn: the last one without a final answer after it. It is the end of the
 * file when every prompt is answered, was interrupted, or failed.
 */
export function turnStart(bytes: Uint8Array): number {
  for (const { content, start } of splitLines(bytes).reverse()) {
    if (content.kind !== 'record') continue
    const { record } = content
    const data = fieldsOf(record.data)
    if (agentOf(record) !== '' || isSeed(record)) continue
    if (record.type === 'user.message' && isTyped(data)) return start
    if (record.type === 'assistant.message' && isFinal(data)) break
    if (record.type === 'abort' || record.type === 'session.error') break
  }
  return bytes.length
}
