import { contentOf } from '../session/live-path.ts'
import type { Message, ToolCall } from '../session/schema.ts'
import { wellFormed } from '../text/whole-characters.ts'
import { asTalk } from './as-talk.ts'
import type { Receipt } from './receipt.ts'
import { type Answers, renderWhole } from './render.ts'
import { type HistoryRequest, selectStrategy } from './select-strategy.ts'
import { STRATEGIES } from './strategies/index.ts'
import type { Piece } from './strategy.ts'
import type { Tokenizer } from './tokens/index.ts'

/** A message as an agent loop sends it to its model. */
interface PromptMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  /** A text; parts where a part that the loop gave, such as an image, is no text. */
  content: string | Part[]
  /** A `tool` message answers each call right after this message. */
  tool_calls?: ToolCall[]
  tool_call_id?: string
  tool_name?: string
}

/** The context for an agent loop. The names are those of the requirement (S4-P2-5). */
export interface BuiltMessages {
  messages: PromptMessage[]
  strategy: string
  tokensUsed: number
  tokenBudget: number
  /** The number of messages on the live path, tool results included. */
  originalMessageCount: number
  includedMessageCount: number
  /**
   * Messages that a summary or the state covers. When the strategy stands for the whole conversation, or when no
   * message that was said is left out, this counts everything that is not included, tool results too, so that it and
   * `includedMessageCount` add up to `originalMessageCount`. The receipt has the number
   * of messages that the text really reports.
   */
  summarizedMessageCount: number
  receipt: Receipt
}

type Part = Exclude<Message['content'], string>[number]

/** Tokens that vendors add for each message, at the high end. */
const PER_MESSAGE = 4

/** The history as messages, oldest first. It never has more tokens than the budget, and no call without its result. */
export function buildMessages(request: HistoryRequest): BuiltMessages {
  const { tokenizer } = request
  const { out, receipt } = selectStrategy<{ messages: PromptMessage[]; live: number }>(request, {
    frame: () => 0,
    cost: (piece, _, limit) => tokensOf(asPrompt(piece), tokenizer, limit),
    make: (pieces, _, { live, answers }) => ({
      messages: paired(pieces, answers),
      live: live.length,
    }),
    tokens({ messages }, limit) {
      let sum = 0
      for (const message of messages) {
        sum += tokensOf(message, tokenizer, limit)
        if (limit !== undefined && sum > limit) return Number.POSITIVE_INFINITY
      }
      return sum
    },
  })
  const included = out.messages.filter(({ role }) => role !== 'system').length
  const complete = receipt.summarised > 0 && receipt.leftOut === 0
  const standsForAll = STRATEGIES.some((one) => one.name === receipt.strategy && one.standsForAll)
  return {
    messages: out.messages,
    strategy: receipt.strategy,
    tokensUsed: receipt.tokens,
    tokenBudget: request.budget,
    originalMessageCount: out.live,
    includedMessageCount: included,
    summarizedMessageCount: complete || standsForAll ? out.live - included : receipt.summarised,
    receipt,
  }
}

function tokensOf(message: PromptMessage, tokenizer: Tokenizer, limit?: number): number {
  const calls = message.tool_calls === undefined ? '' : JSON.stringify(message.tool_calls)
  const content = typeof message.content === 'string' ? [message.content] : message.content.map(countedText)
  const images = content.filter((one) => one === undefined).length
  const texts = content.reduce((sum: number, text) => sum + tokenizer.count(text ?? '', limit), 0)
  return texts + images * PER_IMAGE + tokenizer.count(calls, limit) + PER_MESSAGE
}

/** Most tokens that vendors count for an image: they depend on its size in pixels, never on its bytes. */
export const PER_IMAGE = 1600

/** The text by which a part is counted; undefined for an image. */
function countedText(part: Part): string | undefined {
  if (part.type === 'text') return String(part.text)
  return /image/.test(part.type) ? undefined : JSON.stringify(part)
}

/** A call without an answer right after it becomes words, and so does a result without its call. */
function paired(all: readonly Piece[], answers: Answers): PromptMessage[] {
  const pieces = resultsFirst(all)
  const open = new Set<string>()
  return pieces.map((piece, place) => {
    if ('note' in piece) return asPrompt(piece)
    const { message } = piece
    if (message.role === 'tool')
      return open.delete(message.tool_call_id ?? '')
        ? asPrompt(piece)
        : { role: 'user', content: renderWhole(message, answers) }
    open.clear()
    const answered = answeredBehind(pieces, place)
    const calls = message.tool_calls ?? []
    const kept = calls.filter(({ id }) => answered.has(id))
    for (const { id } of kept) open.add(id)
    const rest = calls.filter((call) => !kept.includes(call))
    if (rest.length === 0) return asPrompt(piece)
    return asPrompt({ message: { ...asTalk({ ...message, tool_calls: rest }, answers), tool_calls: kept } })
  })
}

/** Words of the person in the answer to a call go after the answers to all calls of that message. */
function resultsFirst(pieces: readonly Piece[]): readonly Piece[] {
  const isWords = (piece: Piece) =>
    'message' in piece && piece.message.role === 'user' && piece.message.tool_call_id !== undefined
  if (!pieces.some(isWords)) return pieces
  const result: Piece[] = []
  const words: Piece[] = []
  for (const piece of pieces) {
    const goesOn = 'message' in piece && piece.message.role === 'tool'
    if (isWords(piece)) words.push(piece)
    else {
      if (!goesOn) for (const one of words.splice(0)) result.push(one)
      result.push(piece)
    }
  }
  return [...result, ...words]
}

/** Models accept no other message between a call and its result. */
function answeredBehind(pieces: readonly Piece[], place: number): Set<string | undefined> {
  const ids = new Set<string | undefined>()
  for (let next = place + 1; next < pieces.length; next += 1) {
    const piece = pieces[next]!
    if ('note' in piece || piece.message.role !== 'tool') break
    ids.add(piece.message.tool_call_id)
  }
  return ids
}

function asPrompt(piece: Piece): PromptMessage {
  if ('note' in piece) return { role: 'system', content: wellFormed(piece.note) }
  const { role, tool_calls: calls, tool_call_id: id, tool_name: name } = piece.message
  return {
    role,
    content: promptContent(piece.message),
    ...(calls === undefined || calls.length === 0 ? {} : { tool_calls: calls }),
    ...(id === undefined || role !== 'tool' ? {} : { tool_call_id: id }),
    ...(name === undefined ? {} : { tool_name: name }),
  }
}

/**
 * The text of a message, or the parts that a loop appended where one of them is no text. A client's parts are in words
 * of their own, and their bytes are in `attachments/`: a loop gets a description in words.
 */
function promptContent(message: Message): PromptMessage['content'] {
  const { content } = message
  const isText = ({ type }: Part) => type === 'text'
  if (typeof content === 'string' || message.native_id !== undefined || content.every(isText))
    return wellFormed(contentOf(message))
  return content.map((part) => (isText(part) ? { ...part, text: wellFormed(String(part.text)) } : part))
}
