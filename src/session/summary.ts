import { cutAtWord, oneLine } from '../text/line.ts'
import { isControlTurn } from './control-turns.ts'
import { isTalk, livePath, textOf } from './live-path.ts'
import type { Message } from './schema.ts'

const LENGTH = 160
const LAST_SAID = /\(?Last said: .*$/s

/**
 * Makes a summary from the record itself, for a conversation that ended without one: the earlier summary, then what was
 * said last. '' if nothing was said. Leaves out control turns: a stop or resume that an agent did not carry out says
 * nothing about the conversation.
 */
export function mechanicalSummary(messages: readonly Message[], earlier = ''): string {
  const written = earlier.replace(LAST_SAID, '').trim()

  const asked = livePath(messages).findLast(
    (message) =>
      isTalk(message) &&
      message.role === 'user' &&
      oneLine(textOf(message)) !== '' &&
      !isControlTurn([message]),
  )
  if (asked === undefined) return written
  const last = `Last said: ${cutAtWord(oneLine(textOf(asked)), LENGTH)}`
  return written === '' ? last : `${written} (${last})`
}
