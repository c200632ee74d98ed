import type { Reading } from '../../clients/contract/reading.ts'
import { sha256 } from '../../hash.ts'
import type { Message } from '../../session/schema.ts'

/** The calls that have one id in the transcript, in the order of the talk. */
interface Calls {
  ids: string[]
  /** How many of them have a result. */
  answered: number
}

/** Returns a reading in which each call has an id of its own. */
export function withOwnCalls(reading: Reading): Reading {
  const subagents = Object.entries(reading.subagents).map(([call, said]) => [call, withOwnCallIds(said)])
  return { ...reading, messages: withOwnCallIds(reading.messages), subagents: Object.fromEntries(subagents) }
}

/**
 * Gives each call of a talk an id of its own. A program that scrubs transcripts can give one id to many calls. Then the
 * first of them keeps it, and each other one gets an id that is the same at every reading. A result belongs to the first
 * call with its id that has none yet.
 */
function withOwnCallIds(messages: Message[]): Message[] {
  if (!hasSharedIds(messages)) return messages
  const calls = new Map<string, Calls>()
  return messages.map((message) => {
    const { tool_calls: made, tool_call_id: id } = message
    if (made !== undefined)
      return {
        ...message,
        tool_calls: made.map((call, at) => ({ ...call, id: enter(calls, call.id, message, at) })),
      }
    const asked = id === undefined ? undefined : calls.get(id)
    if (asked === undefined) return message
    if (message.role === 'tool' && asked.answered < asked.ids.length) asked.answered += 1
    // What the person said to a call follows its result.
    return { ...message, tool_call_id: asked.ids[Math.max(0, asked.answered - 1)]! }
  })
}

function enter(calls: Map<string, Calls>, id: string, { id: message }: Message, at: number): string {
  const same = calls.get(id)
  const own = same === undefined ? id : `${id}~${sha256(`${message}\0${at}`).slice(0, 12)}`
  if (same === undefined) calls.set(id, { ids: [own], answered: 0 })
  else same.ids.push(own)
  return own
}

function hasSharedIds(messages: readonly Message[]): boolean {
  const ids = new Set<string>()
  for (const { tool_calls: calls } of messages)
    for (const { id } of calls ?? []) {
      if (ids.has(id)) return true
      ids.add(id)
    }
  return false
}
