import { cutAtWord, oneLine } from '../text/line.ts'
import { isPrompt, livePath, textOf } from './live-path.ts'
import type { Message } from './schema.ts'
import { withoutStops } from './stopping/without-stops.ts'
import { withoutFrame } from './title.ts'

const MAX_LENGTH = 160
/** The beginning of a summary that was made from the record of a whole conversation. */
const FROM_RECORD = 'From the record: '
const BY_PROGRAM = /\(?(?:Last said: |From the record: ).*$/s

/**
 * Makes a summary without a model, for a conversation that ended without a summary. It has the `earlier` summary, then
 * what the person asked last; '' when there is neither. Control turns are left out, because a stop or resume says
 * nothing about the conversation.
 */
export function mechanicalSummary(messages: readonly Message[], earlier = ''): string {
  return summaryWith(lastAsked(messages), earlier)
}

/** Like `mechanicalSummary`, but the caller gives the last question. */
export function summaryWith(asked: string, earlier = ''): string {
  const written = withoutLastSaid(earlier)
  if (asked === '') return written
  // The first request and the deeds in `earlier` stay true. The answer, the open points and the last words in it are
  // out of date.
  if (earlier.startsWith(FROM_RECORD)) {
    const before = earlier.replace(
      /(?:; |(?<=^From the record: ))(?:(?:last )?answered "|(?:last|later) asked "|open: |last said ").*$/s,
      '',
    )
    return `${before === FROM_RECORD ? before : `${before}; `}last said "${asked}"`
  }
  const last = `Last said: ${asked}`
  return written === '' ? last : `${written} (${last})`
}

/** Facts about a whole conversation, each in one line; '' for a fact that is not known. */
export interface RecordFacts {
  /** The first request that tells something, in the person's own words. */
  asked: string
  /** Whether nothing was asked before `asked`. */
  isFirst: boolean
  done: string
  /** The last request that tells something, if it is another one. */
  askedLast: string
  /** The last answer. */
  answered: string
  /** What the agent said after that, when a program and not the person had told it something. */
  answeredLater: string
  /** Whether the request that is named last is the last of all. */
  isLast: boolean
  /** Whether `answered` came before the last request. */
  isEarlier: boolean
  /** What the agent did last, if the last request has no final answer. */
  step: string
  open: string
}

/**
 * Makes a summary of a conversation that nobody summed up, from what was asked, done, answered and left open; '' when
 * all of these are empty.
 */
export function summaryFromRecord(facts: RecordFacts): string {
  const { asked, isFirst, done, askedLast, answered, answeredLater, isLast, isEarlier, step, open } = facts
  const answer = [
    answered && `${isLast && !isEarlier ? '' : 'last '}answered "${cutAtWord(answered, 160)}"`,
    answeredLater && `${answered === '' ? 'last answered' : 'later said'} "${cutAtWord(answeredLater, 160)}"`,
  ]
    .filter(Boolean)
    .join('; ')
  const parts = [
    asked && `${isFirst && !(isLast && askedLast === '') ? 'first ' : ''}asked "${cutAtWord(asked, 100)}"`,
    done,
    isEarlier ? answer : '',
    askedLast && `${isLast ? 'last' : 'later'} asked "${cutAtWord(askedLast, 80)}"`,
    isEarlier ? '' : answer,
    open && `open: ${cutAtWord(open, 80)}${step && `, last step "${step}"`}`,
  ].filter((part) => part !== '')
  return parts.length === 0 ? '' : `${FROM_RECORD}${parts.join('; ')}`
}

/** The part of a summary that a person or an agent wrote: everything before the words of this program. */
export function withoutLastSaid(summary: string): string {
  return summary.replace(BY_PROGRAM, '').trim()
}

/** The beginning of what the person asked last, except for a stop; '' if nothing was asked. */
export function lastAsked(messages: readonly Message[]): string {
  const asked = withoutStops(livePath(messages)).findLast(
    (message) => isPrompt(message) && beginOf(message) !== '',
  )
  return asked === undefined ? '' : beginOf(asked)
}

/** The first words of a message. The rest is not read: a paste can have a hundred megabytes. */
function beginOf(message: Message): string {
  return cutAtWord(oneLine(withoutFrame(textOf(message).slice(0, 20 * MAX_LENGTH))), MAX_LENGTH)
}
