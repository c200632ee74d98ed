import { withDefault } from '../../errors.ts'
import { isMessage } from '../../session/schema.ts'
import { authorOfMessage } from '../../session/sharing/authors.ts'
import { RECORD } from '../../store/layout.ts'
import { lastLines } from '../../store/record/read-lines.ts'

/** Bytes to read at the end of messages.jsonl. They usually contain a prompt. */
const END_BYTES = 256 * 1024

/**
 * Returns the last author at the end of a record, in the form that `search --author` accepts. Undefined if the end
 * names no author, or if the record cannot be read.
 */
export function lastAuthor(folder: string): string | undefined {
  const lines = withDefault([], () => lastLines(folder, RECORD.messages, END_BYTES))
  for (const line of lines.reverse()) {
    if (!line.includes('"author"')) continue
    const message = parseLine(line)
    const author = isMessage(message) ? authorOfMessage(message) : undefined
    if (author !== undefined) return author
  }
  return undefined
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
