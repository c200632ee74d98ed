import { cutAtWord, oneLine } from '../text/line.ts'
import { isControlTurn } from './control-turns.ts'
import { isPrompt, livePath, textOf } from './live-path.ts'
import type { Message } from './schema.ts'

const MAX_LENGTH = 160
const LAST_SAID = /\(?Last said: .*$/s

/**
 * Makes a summary from the record itself, for a conversation that ended without one: the earlier summary, then what the
 * person asked last; '' without either. Leaves out control turns: a stop or resume that an agent did not carry out says
 * nothing about the conversation.
 */
export function mechanicalSummary(messages: readonly Message[], earlier = ''): string {
  return summaryWith(lastAsked(messages), earlier)
}

/** Like `mechanicalSummary`, but the caller gives the last question. */
export function summaryWith(asked: string, earlier = ''): string {
  const written = withoutLastSaid(earlier)
  if (asked === '') return written
  const last = `Last said: ${asked}`
  return written === '' ? last : `${written} (${last})`
}

/** The part of a summary that a person or an agent wrote: everything before `Last said:`. */
export function withoutLastSaid(summary: string): string {
  return summary.replace(LAST_SAID, '').trim()
}

/** The beginning of what the person asked last; '' if nothing was asked. */
export function lastAsked(messages: readonly Message[]): string {
  const asked = livePath(messages).findLast(
    (message) => isPrompt(message) && oneLine(textOf(message)) !== '' && !isControlTurn([message]),
  )
  return asked === undefined ? '' : cutAtWord(oneLine(textOf(asked)), MAX_LENGTH)
}
