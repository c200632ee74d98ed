import { cutAtWord, oneLine } from '../text/line.ts'
import { isControlTurn } from './control-turns.ts'
import { isTalk, livePath, textOf } from './live-path.ts'
import type { Message } from './schema.ts'

const LENGTH = 160
const LAST_SAID = /\(?Last said: .*$/s

/**
 * A summary from the record itself, for a conversation that ended without anybody writing one: what was said last,
 * behind what an earlier summary said. '' if nothing was said. A command that should stop or resume a conversation, and
 * that an agent did not carry out, is nothing that was said in it.
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
