import { callKey, isTalk } from '../../../session/live-path.ts'
import type { Message } from '../../../session/schema.ts'
import { localTime } from '../../../text/local-time.ts'

/**
 * A message of the person or the agent, and the results of its calls. The results may be anywhere in the record. A
 * result without a call belongs to the message before it.
 */
export interface Step {
  message: Message
  results: Message[]
}

/**
 * Returns the steps of a conversation. The number of a message is the place of its step in this list, counted from 1.
 */
export function stepsOf(messages: readonly Message[]): Step[] {
  const steps = messages.filter(isTalk).map((message): Step => ({ message, results: [] }))
  const byCall = new Map(
    steps.flatMap((step) =>
      (step.message.tool_calls ?? []).map(({ id }) => [callKey(step.message, id), step]),
    ),
  )
  let before: Step | undefined
  let next = 0
  for (const message of messages) {
    if (isTalk(message)) before = steps[next++]
    else if (message.role === 'tool' && message.event === undefined)
      (byCall.get(callKey(message, message.tool_call_id)) ?? before)?.results.push(message)
  }
  return steps
}

/**
 * Returns the number of each message, by the message's id. A result has the number of the message that made the call.
 */
export function numbersIn(messages: readonly Message[]): Map<string, number> {
  const numbers = new Map<string, number>()
  for (const [index, { message, results }] of stepsOf(messages).entries())
    for (const { id } of [message, ...results]) if (!numbers.has(id)) numbers.set(id, index + 1)
  return numbers
}

/** `2026-11-21 09:14`, as clocks on this machine show it and as `since` and `until` count. */
export function timeOf({ timestamp }: Message): string {
  return localTime(timestamp)
}
