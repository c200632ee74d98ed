import type { Message } from '../../session/schema.ts'
import type { Piece } from '../strategy.ts'
import type { Answers } from './answers.ts'
import { type CallItem, callItem } from './calls-line.ts'
import { partsOf, withParts } from './message-parts.ts'

/** Renders messages as talk: each text whole, and its tool calls in a line. */

const talks = new WeakMap<Answers, WeakMap<Message, Message>>()

/**
 * Returns the message as talk: its new content is its text and the line of its tool calls. Cached, so that each message
 * is rendered and counted once.
 */
export function asTalk(message: Message, answers: Answers): Message {
  if (message.tool_calls === undefined || message.tool_calls.length === 0) return message
  const cached = talks.get(answers) ?? new WeakMap<Message, Message>()
  talks.set(answers, cached)
  const talk = cached.get(message) ?? makeTalk(message, answers)
  cached.set(message, talk)
  return talk
}

function makeTalk(message: Message, answers: Answers): Message {
  // The parts have the names of the attachments.
  const { tool_calls: calls = [], attachments: _, ...rest } = message
  const line = calls.map((call) => callItem(call, message, answers))
  return withParts(rest, [...partsOf(message), line])
}

/**
 * Joins neighbouring messages of the agent, so that their tool calls are in one line. A joined message has at most one
 * text.
 */
export function underOneHead(pieces: readonly Piece[]): Piece[] {
  const result: Piece[] = []
  let group: Message[] = []
  let texts = 0
  const close = (): void => {
    if (group.length > 0) result.push({ message: joined(group) })
    group = []
    texts = 0
  }
  for (const piece of pieces) {
    const message = joinable(piece)
    if (message === undefined) {
      close()
      result.push(piece)
      continue
    }
    const own = hasText(message) ? 1 : 0
    if (texts + own > 1) close()
    group.push(message)
    texts += own
  }
  close()
  return result
}

/**
 * Returns the message of a piece if it can be joined: a whole message of the agent with only a text and a line of
 * calls.
 */
function joinable(piece: Piece): Message | undefined {
  if ('note' in piece || piece.cut === true) return undefined
  const { role, content, tool_calls: calls = [] } = piece.message
  const isText = typeof content === 'string' || content.every(({ type }) => type === 'text')
  return role === 'assistant' && calls.length === 0 && isText ? piece.message : undefined
}

function hasText(message: Message): boolean {
  return partsOf(message).some((part) => typeof part === 'string')
}

const joins = new WeakMap<Message, { group: readonly Message[]; message: Message }>()

/** Joins a group into one message. Returns the same object for the same group, so that its tokens are counted once. */
function joined(group: readonly Message[]): Message {
  const first = group[0]!
  if (group.length === 1) return first
  const cached = joins.get(first)
  if (cached?.group.length === group.length && group.every((one, index) => one === cached.group[index]))
    return cached.message
  const all: (string | CallItem[])[] = []
  for (const part of group.flatMap(partsOf)) {
    const last = all.at(-1)
    if (typeof part === 'string') all.push(part)
    else if (last === undefined || typeof last === 'string') all.push([...part])
    else for (const item of part) last.push(item)
  }
  const { attachments: _, ...rest } = first
  const message = withParts(rest, all)
  joins.set(first, { group, message })
  return message
}
