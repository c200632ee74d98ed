import { contentOf } from '../session/live-path.ts'
import type { Message, ToolCall } from '../session/schema.ts'
import { wellFormed } from '../text/whole-characters.ts'
import type { Receipt } from './receipt.ts'
import type { Answers } from './rendering/answers.ts'
import { asTalk } from './rendering/as-talk.ts'
import { renderWhole } from './rendering/render.ts'
import { type HistoryRequest, selectStrategy } from './select-strategy.ts'
import { STRATEGIES } from './strategies/index.ts'
import type { Piece } from './strategy.ts'
import type { Tokenizer } from './tokens/index.ts'

/** A message as an agent loop sends it to its model. */
interface PromptMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  /** A text. Parts if the agent loop gave a part that is not text, such as an image. */
  content: string | Part[]
  /** Each of these calls has its result in a `tool` message right after this message. */
  tool_calls?: ToolCall[]
  tool_call_id?: string
  tool_name?: string
}

/** The context for an agent loop. The names of its fields were asked for. */
export interface BuiltMessages {
  messages: PromptMessage[]
  strategy: string
  tokensUsed: number
  tokenBudget: number
  /** The number of messages on the live path, tool results included. */
  originalMessageCount: number
  includedMessageCount: number
  /**
   * Number of messages that a summary or the state covers. It includes tool results in two cases: the strategy
   * represents the whole conversation, or the summary covers all talk that is not shown. In these cases, this number
   * and `includedMessageCount` add up to `originalMessageCount`. `receipt.summarised` never includes tool results.
   */
  summarizedMessageCount: number
  receipt: Receipt
}

type Part = Exclude<Message['content'], string>[number]

/** The most tokens that a vendor of models adds for a message. */
const TOKENS_PER_MESSAGE = 4

/**
 * Builds the history as messages, oldest first. It never has more tokens than the budget. Each call in it is followed
 * by its result.
 */
export function buildMessages(request: HistoryRequest): BuiltMessages {
  const { tokenizer } = request
  const { out, receipt } = selectStrategy<{ messages: PromptMessage[]; live: number }>(request, {
    frame: () => 0,
    cost: (piece, _, limit) => tokensOf(asPrompt(piece), tokenizer, limit),
    make: (pieces, _, { live, answers }) => ({
      messages: pairCalls(pieces, answers),
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
  return texts + images * TOKENS_PER_IMAGE + tokenizer.count(calls, limit) + TOKENS_PER_MESSAGE
}

/** The largest number of tokens that vendors count for an image. It depends on the pixels, never on the bytes. */
export const TOKENS_PER_IMAGE = 1600

/** Returns the text whose tokens are counted for a part; undefined for an image. */
function countedText(part: Part): string | undefined {
  if (part.type === 'text') return String(part.text)
  return /image/.test(part.type) ? undefined : JSON.stringify(part)
}

/** A call becomes text if its result does not come right after it. A result without its call becomes text too. */
function pairCalls(all: readonly Piece[], answers: Answers): PromptMessage[] {
  const pieces = resultsFirst(all)
  const open = new Set<string>()
  return pieces.map((piece, index) => {
    if ('note' in piece) return asPrompt(piece)
    const { message } = piece
    if (message.role === 'tool')
      return open.delete(message.tool_call_id ?? '')
        ? asPrompt(piece)
        : { role: 'user', content: renderWhole(message, answers) }
    open.clear()
    const answered = answeredRightAfter(pieces, index)
    const calls = message.tool_calls ?? []
    const kept = calls.filter(({ id }) => answered.has(id))
    for (const { id } of kept) open.add(id)
    const rest = calls.filter((call) => !kept.includes(call))
    if (rest.length === 0) return asPrompt(piece)
    return asPrompt({ message: { ...asTalk({ ...message, tool_calls: rest }, answers), tool_calls: kept } })
  })
}

/** A person's message may answer a call. Moves such messages behind the tool results that follow them. */
function resultsFirst(pieces: readonly Piece[]): readonly Piece[] {
  const isWords = (piece: Piece) =>
    'message' in piece && piece.message.role === 'user' && piece.message.tool_call_id !== undefined
  if (!pieces.some(isWords)) return pieces
  const result: Piece[] = []
  const words: Piece[] = []
  for (const piece of pieces) {
    const isResult = 'message' in piece && piece.message.role === 'tool'
    if (isWords(piece)) words.push(piece)
    else {
      if (!isResult) for (const one of words.splice(0)) result.push(one)
      result.push(piece)
    }
  }
  return [...result, ...words]
}

/**
 * Returns the ids of the calls whose results come right after the message at `index`. Models accept no other message
 * between a call and its result.
 */
function answeredRightAfter(pieces: readonly Piece[], index: number): Set<string | undefined> {
  const ids = new Set<string | undefined>()
  for (let next = index + 1; next < pieces.length; next += 1) {
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
 * Returns the text of a message. Returns its parts instead if an agent loop appended the message and a part is not
 * text. Parts from a client have the form of that client, and their bytes are in `attachments/`. So an agent loop gets
 * only a name for each, such as `[image]`.
 */
function promptContent(message: Message): PromptMessage['content'] {
  const { content } = message
  const isText = ({ type }: Part) => type === 'text'
  if (typeof content === 'string' || message.native_id !== undefined || content.every(isText))
    return wellFormed(contentOf(message))
  return content.map((part) => (isText(part) ? { ...part, text: wellFormed(String(part.text)) } : part))
}
