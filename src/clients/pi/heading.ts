import { blocksOf, fieldsOf, textOf } from '../shared/transcript/fields.ts'
import { splitLines } from '../shared/transcript/lines.ts'
import { isOurs, typedIn } from './read/rules.ts'

/** Reads the id, the folder and the title of a session from the two ends of its file. */
export function readHeading(head: Uint8Array, tail: Uint8Array) {
  const heading = { nativeId: '', cwd: '', title: '', hasTalk: false }
  let name = ''
  let first = ''
  let typed = ''
  for (const { content } of [...splitLines(head), ...splitLines(tail)]) {
    if (content.kind === 'unreadable') heading.hasTalk ||= heading.nativeId !== ''
    if (content.kind !== 'record') continue
    const { record } = content
    if (record.type === 'session' && heading.nativeId === '') {
      heading.nativeId = textOf(record.id)
      heading.cwd = textOf(record.cwd)
    }
    if (record.type === 'session_info') name = textOf(record.name)
    typed = typedIn(record) ?? typed
    const message = fieldsOf(record.message)
    if (record.type !== 'message' || message.role === 'system' || isOurs(record)) continue
    heading.hasTalk = true
    if (message.role === 'user') first ||= typed || textOf(blocksOf(message.content)[0]?.text)
    if (message.role === 'bashExecution') first ||= `!${textOf(message.command)}`
  }
  heading.title = name || first
  return heading
}
