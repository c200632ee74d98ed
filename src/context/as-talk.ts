import { contentOf } from '../session/live-path.ts'
import type { Message } from '../session/schema.ts'
import { type CallTold, callsLine, callTold } from './calls-line.ts'
import { type Answers, renderWhole } from './render.ts'
import type { Piece } from './strategy.ts'

/** Renders messages as talk: each text whole, and the tool calls around it in a line. */

/** A text of a message, or the calls that one line reports. */
type Part = string | readonly CallTold[]

const parts = new WeakMap<Message, readonly Part[]>()
const known = new WeakMap<Answers, WeakMap<Message, Message>>()

/** One message as talk. Its line of tool calls tells the results too. */
export function renderTalk(message: Message, answers: Answers): string {
  return renderWhole(asTalk(message, answers), answers)
}

/**
 * The message as talk, with that text as its content and without tool calls. It is kept, so that each message is
 * rendered and weighed once.
 */
export function asTalk(message: Message, answers: Answers): Message {
  if (message.tool_calls === undefined || message.tool_calls.length === 0) return message
  const before = known.get(answers) ?? new WeakMap<Message, Message>()
  known.set(answers, before)
  const talk = before.get(message) ?? makeTalk(message, answers)
  before.set(message, talk)
  return talk
}

function makeTalk(message: Message, answers: Answers): Message {
  const { tool_calls: calls = [], attachments: _, ...rest } = message
  const line = calls.map((call) => callTold(call, message.client, answers))
  return withParts(rest, [...contentIn(message), line])
}

/**
 * The same pieces, with the tool calls of neighbouring messages in one line. Messages of the agent without a text go
 * below the head of the message before or after them; no two texts share a head.
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

/** The agent's message if it is whole and has only a text and a line of calls. */
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

/** It is kept for the last group that began with a message, so that a group is weighed once. */
function joined(group: readonly Message[]): Message {
  const first = group[0]!
  if (group.length === 1) return first
  const before = joins.get(first)
  if (before?.group.length === group.length && group.every((one, place) => one === before.group[place]))
    return before.message
  const all: Part[] = []
  for (const part of group.flatMap(partsOf)) {
    const last = all.at(-1)
    if (typeof part === 'string' || last === undefined || typeof last === 'string') all.push(part)
    else all[all.length - 1] = [...last, ...part]
  }
  const message = withParts(first, all)
  joins.set(first, { group, message })
  return message
}

function partsOf(message: Message): readonly Part[] {
  return parts.get(message) ?? contentIn(message)
}

function contentIn(message: Message): string[] {
  const text = contentOf(message)
  return text === '' ? [] : [text]
}

function withParts(message: Message, all: readonly Part[]): Message {
  const content = all.map((part) => (typeof part === 'string' ? part : callsLine(part))).join('\n')
  const made = { ...message, content }
  parts.set(made, all)
  return made
}
