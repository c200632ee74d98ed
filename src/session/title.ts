import { cutAtWord, oneLine } from '../text/line.ts'
import { isTalk, textOf } from './live-path.ts'
import type { Message } from './schema.ts'

/** The title of a conversation that was started without one, until the first thing said gives it a better one. */
export const DEFAULT_TITLE = 'Untitled'

const TITLE_LENGTH = 50

/**
 * A title from the first request of the person, as one line, cut at a word near 50 characters. Slash
 * commands give their arguments; a mere "hi" or "fix" is no title (E-25). Undefined when nothing fit was said yet.
 */
export function titleFrom(messages: readonly Message[]): string | undefined {
  for (const message of messages) {
    if (!isTalk(message) || message.role !== 'user') continue
    const text = oneLine(withoutCommand(textOf(message)))
    if (text !== '' && !SAYS_NOTHING.test(text)) return cutAtWord(text, TITLE_LENGTH)
  }
  return undefined
}

/** A word or two of plain letters: a greeting, an "ok". */
const SAYS_NOTHING = /^[\w\s.,!?']{1,7}$/

/** `/workspace.brainstorm topic` → `topic`. A path is no command: behind a command stands a space or nothing. */
function withoutCommand(text: string): string {
  return text.replace(/^\s*\/[\w.:-]+(?=\s|$)/, '')
}
