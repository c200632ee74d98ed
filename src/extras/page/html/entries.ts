import { callKey, isTalk, livePath } from '../../../session/live-path.ts'
import type { Message, ToolCall } from '../../../session/schema.ts'
import { localTime } from '../../../text/local-time.ts'

/** A message of a person or the agent, with its calls and their results. */
export interface Talk {
  kind: 'talk'
  /** Its number among the messages of person and agent, as `show --at` counts them. */
  number: number
  message: Message
  /** False when it was taken back. */
  live: boolean
  calls: CallWithResults[]
  /** Whether the same agent continues, so that the page does not repeat its name. */
  continues: boolean
}

export interface CallWithResults {
  call: ToolCall
  results: Message[]
}

/** A line that is not talk: an event, an instruction of the client, or a result without a call before it. */
export interface Mark {
  kind: 'event' | 'system' | 'result'
  message: Message
  live: boolean
}

export type Entry = Talk | Mark

/**
 * The messages in the order in which a page shows them. Each result is with its call, even if the call came much
 * earlier.
 */
export function entriesOf(messages: readonly Message[]): Entry[] {
  const live = liveOf(messages)
  const calls = new Map<string, CallWithResults>()
  const entries: Entry[] = []
  let number = 0
  let before: Message | undefined
  for (const message of messages) {
    if (isTalk(message)) {
      const called = (message.tool_calls ?? []).map((call): CallWithResults => ({ call, results: [] }))
      for (const one of called) calls.set(callKey(message, one.call.id), one)
      number += 1
      const isLive = live.has(message)
      entries.push({
        kind: 'talk',
        number,
        message,
        live: isLive,
        calls: called,
        continues: isContinuation(before, message),
      })
      before = message
      continue
    }
    const call = isResult(message) ? calls.get(callKey(message, message.tool_call_id)) : undefined
    if (call !== undefined) call.results.push(message)
    else {
      entries.push({ kind: kindOf(message), message, live: message.event !== undefined || live.has(message) })
      before = undefined
    }
  }
  return entries
}

function isContinuation(before: Message | undefined, message: Message): boolean {
  return (
    before?.role === 'assistant' &&
    message.role === 'assistant' &&
    before.client === message.client &&
    dayOf(before) === dayOf(message)
  )
}

const dayOf = ({ timestamp }: Message) => localTime(timestamp).slice(0, 10)

/**
 * Returns the messages that were not taken back. A `cleared` event with `anew` begins the conversation again: messages
 * before it are included, although no context has them.
 */
function liveOf(messages: readonly Message[]): ReadonlySet<Message> {
  const live = new Set<Message>()
  let begin = 0
  for (const [index, { event, anew }] of messages.entries()) {
    if (event !== 'cleared' || anew !== true) continue
    for (const message of livePath(messages.slice(begin, index))) live.add(message)
    begin = index + 1
  }
  for (const message of livePath(messages.slice(begin))) live.add(message)
  return live
}

function isResult({ role, event }: Message): boolean {
  return role === 'tool' && event === undefined
}

function kindOf(message: Message): Mark['kind'] {
  if (message.event !== undefined) return 'event'
  return message.role === 'tool' ? 'result' : 'system'
}
