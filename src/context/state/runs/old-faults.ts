import { isPrompt, textOf } from '../../../session/live-path.ts'
import type { Message } from '../../../session/schema.ts'

/** Whether the agent says that a fault was there before its work, or has nothing to do with it. */
export function saysOld(message: Message): boolean {
  return message.role === 'assistant' && SAYS_OLD.test(textOf(message))
}

const SAYS_OLD =
  /\bpre-?existing\b|\bno new (?:errors?|failures?|warnings?|violations?|findings?|problems?)\b|\bpresent in the (?:committed|base|original|old)\b|\b(?:failing|failed|broken) (?:already )?(?:before|on (?:main|master))\b|\bunrelated (?:to|errors?|failures?|warnings?|issues?)\b/i

/** Returns the messages after which the agent says, in the same turn, that a fault was there before. */
export function messagesBeforeOld(live: readonly Message[]): ReadonlySet<Message> {
  const before = new Set<Message>()
  let isOld = false
  for (const message of live.toReversed()) {
    if (isPrompt(message)) isOld = false
    if (isOld) before.add(message)
    isOld ||= saysOld(message)
  }
  return before
}
