import { cutAtWord, oneLine } from '../text/line.ts'
import { isPrompt, textOf } from './live-path.ts'
import type { Message } from './schema.ts'

/** The title of a conversation that was started without one, until its first words give a better one. */
export const DEFAULT_TITLE = 'Untitled'

const TITLE_LENGTH = 50

/**
 * Makes a title from the person's first request: one line, cut between words near 50 characters. Of a slash
 * command, only the arguments count; a mere "hi" or "fix" gives no title (E-25). Undefined when no message is fit for a
 * title.
 */
export function titleFrom(messages: readonly Message[]): string | undefined {
  for (const message of messages) {
    if (!isPrompt(message)) continue
    const text = oneLine(withoutCommand(textOf(message)))
    if (text !== '' && !SAYS_NOTHING.test(text)) return cutAtWord(text, TITLE_LENGTH)
  }
  return undefined
}

/** Up to seven plain characters, such as a greeting or an "ok", say nothing. */
const SAYS_NOTHING = /^[\w\s.,!?']{1,7}$/

/**
 * `/workspace.brainstorm topic`, `$workspace-brainstorm topic` → `topic`. A command ends in a space or the end of the
 * text, so that a path does not count as one.
 */
export function withoutCommand(text: string): string {
  return text.replace(/^\s*(?:\/[\w.:-]+|\$workspace[-:][\w-]+)(?=\s|$)/, '')
}
