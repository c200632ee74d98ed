import type { Fields } from '../shared/transcript/fields.ts'
import { splitLines } from '../shared/transcript/lines.ts'
import { callsTool, fateOf } from './read/rules.ts'
import { isSent, typedIn } from './read/typed.ts'

/**
 * The byte offset of the record that begins the running turn: the last prompt without a final answer after it, or the
 * record before that prompt which says what the person typed. It is the end of the file when every prompt is answered.
 */
export function turnStart(bytes: Uint8Array): number {
  let start: number | undefined
  let prompt: Fields | undefined
  for (const line of splitLines(bytes).toReversed()) {
    const record = line.content.kind === 'record' ? line.content.record : undefined
    if (record === undefined) continue
    // The prompt of a command follows its own record, with further records of the client between them.
    if (isSent(record) || (prompt !== undefined && typedIn(record, prompt) !== undefined)) return line.start
    const { as } = fateOf(record)
    if (start !== undefined && as !== 'dropped' && as !== 'derived') return start
    if (isFinal(record)) break
    if (as === 'prompt' || as === 'notification') start = line.start
    if (as === 'prompt') prompt = record
  }
  return start ?? bytes.length
}

function isFinal(record: Fields): boolean {
  const { as } = fateOf(record)
  return (as === 'answer' && !callsTool(record)) || as === 'rewind'
}
