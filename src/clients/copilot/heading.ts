import { titleLine } from '../shared/transcript/facts.ts'
import { fieldsOf, textOf } from '../shared/transcript/fields.ts'
import { splitLines } from '../shared/transcript/lines.ts'
import { agentOf, isSeed, isTyped, typedText } from './read/rules.ts'

/** Reads the folder of a session and the first text that the person typed from the two ends of its file. */
export function readHeading(head: Uint8Array, tail: Uint8Array) {
  const heading = { cwd: '', first: '', hasTalk: false }
  for (const { content } of [...splitLines(head), ...splitLines(tail)]) {
    // A line that is longer than what is read of the file is not a short note of the client.
    if (content.kind === 'unreadable') heading.hasTalk = true
    if (content.kind !== 'record') continue
    const { record } = content
    const data = fieldsOf(record.data)
    if (record.type === 'session.start') heading.cwd ||= textOf(fieldsOf(data.context).cwd)
    if (isSeed(record) || agentOf(record) !== '') continue
    if (record.type === 'user.message' && isTyped(data)) heading.first ||= titleLine(typedText(data))
    if (record.type === 'tool.user_requested')
      heading.first ||= titleLine(`!${textOf(fieldsOf(data.arguments).command)}`)
    heading.hasTalk ||= heading.first !== '' || record.type === 'assistant.message'
  }
  return heading
}
