import { fieldsOf, textOf } from '../shared/transcript/fields.ts'
import { splitLines } from '../shared/transcript/lines.ts'

/**
 * The byte offset of the line that begins the running turn, or the end of the bytes if no turn runs. Codex writes a
 * line where a turn begins, and another line where the turn ends (0.169.0).
 */
export function turnStart(bytes: Uint8Array): number {
  let running: number | undefined
  for (const { content, start } of splitLines(bytes)) {
    if (content.kind !== 'record') continue
    const { record } = content
    // A new file begins here. If a rewind made it, the running turn has ended without an event.
    if (record.type === 'session_meta') running = undefined
    if (record.type !== 'event_msg') continue
    const type = textOf(fieldsOf(record.payload).type)
    if (type === 'task_started' || type === 'turn_started') running = start
    if (/^(?:task_complete|turn_complete|turn_aborted)$/.test(type)) running = undefined
  }
  return running ?? bytes.length
}
