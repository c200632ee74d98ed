import { type Fields, fieldsOf, textOf } from '../shared/transcript/fields.ts'
import { quotedIn } from '../shared/transcript/file-ends.ts'
import { splitLines } from '../shared/transcript/lines.ts'
import { fateOf } from './read/rules.ts'
import { commandRecord, promptOf, typedIn } from './read/typed.ts'

/** Reads the folder and the title of a session from the two ends of its file. */
export function readHeading(head: Uint8Array, tail: Uint8Array) {
  const heading = { cwd: '', title: '', hasTalk: false }
  let ownTitle = ''
  let first = ''
  let command: Fields | undefined
  for (const { content } of [...splitLines(head), ...splitLines(tail)]) {
    // The end of the head may be within a record.
    if (content.kind === 'unreadable') heading.hasTalk ||= heading.cwd !== ''
    if (content.kind !== 'record') continue
    const { record } = content
    heading.cwd ||= textOf(record.cwd)
    ownTitle = textOf(fieldsOf(record.systemPayload).customTitle) || ownTitle
    command = commandRecord(command, record)
    const { as } = fateOf(record)
    heading.hasTalk ||= as === 'prompt' || as === 'answer'
    if (as === 'prompt') first ||= promptOf(record, typedIn(command, record)).text
  }
  heading.cwd ||= quotedIn(head, 'cwd')
  heading.title = ownTitle || first
  return heading
}
