import { CortextError } from '../../errors.ts'
import { isMessage } from '../../session/schema.ts'
import { authorOfMessage } from '../../session/sharing/authors.ts'
import { RECORD } from '../../store/layout.ts'
import { lastLines } from '../../store/record/last-lines.ts'

/** A person says something at least that often, in bytes of what agent and tools say. */
const END = 256 * 1024

/**
 * Who typed last in a conversation, as its record names them (what `search --author` looks for). Only the end of the
 * record is read. Undefined where nobody is named there, and where it cannot be read.
 */
export function lastAuthor(folder: string): string | undefined {
  for (const line of endOf(folder).reverse()) {
    if (!line.includes('"author"')) continue
    const message = parsed(line)
    const author = isMessage(message) ? authorOfMessage(message) : undefined
    if (author !== undefined) return author
  }
  return undefined
}

function endOf(folder: string): string[] {
  try {
    return lastLines(folder, RECORD.messages, END)
  } catch (error) {
    if (!(error instanceof CortextError)) throw error
    return []
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
