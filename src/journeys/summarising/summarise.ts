import { relative } from 'node:path'
import type { Client } from '../../clients/contract/client.ts'
import type { AskAnswer } from '../../clients/contract/questions.ts'
import { type ToSummarise, toSummarise } from '../../context/build.ts'
import type { Covering } from '../../context/covering.ts'
import { callsIn } from '../../context/rendering/answers.ts'
import { type SummaryPrompt, summaryPrompt } from '../../context/summary-prompt.ts'
import { fullBudget, windowOf } from '../../context/tokens/budget.ts'
import { cutToTokens } from '../../context/tokens/cut.ts'
import { o200k, type Tokenizer } from '../../context/tokens/index.ts'
import type { Conversation } from '../../conversation/read.ts'
import { CortextError } from '../../errors.ts'
import { withSlashes } from '../../io/slashes.ts'
import { cleanText } from '../../redact/index.ts'
import { isTalk, textOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { hashOf, type SummaryFile } from '../../session/summary-file.ts'
import { writeSummary } from '../../store/record/summaries.ts'
import { wellFormed } from '../../text/whole-characters.ts'
import type { Workspace } from '../../workspace/open.ts'
import { type ContextOptions, contextRequest } from '../resuming/context.ts'
import { askClient } from './ask-client.ts'

export type Summarised =
  /**
   * A summary was made. `messages` counts what a person or an agent said, `asked` counts the questions to the client.
   */
  | { outcome: 'made'; messages: number; model: string; path: string; asked: number; cost: Cost }
  /** A cached summary covers everything that has to be summarised. */
  | { outcome: 'there'; messages: number; model: string }
  /** The client was not asked: the context has no room for a summary, or does not need one. */
  | { outcome: 'not needed'; strategy: string }

/** Tokens that the client's model has read and written. */
interface Cost {
  read: number
  wrote: number
  /** Whether the client reported all numbers. If false, questions and answers without numbers are counted in o200k. */
  counted: boolean
}

export interface SummaryOptions extends ContextOptions {
  client: Client
  /** Aborting this signal ends the client. */
  stop?: AbortSignal
  /** Milliseconds for one answer. */
  patience?: number
  /**
   * Called before the first question with the numbers of messages, tokens (o200k) and questions. The number of
   * questions is an estimate.
   */
  onAsk?: (about: { messages: number; tokens: number; questions: number }) => void
}

/**
 * Lets a client's model summarise the messages that a context leaves out, and writes the summary into the
 * conversation's `summaries/`. Nothing else in cortext costs tokens, apart from the clients that a person uses. The
 * record is only read. Throws `client-missing`, `client-failed` and `cancelled`. Throws `refused` if the conversation
 * cannot be written to, the client cannot be asked, or the answer is not shorter than the messages that it replaces.
 * When it throws, nothing has changed.
 */
export async function summarise(
  ws: Workspace,
  conversation: Conversation,
  wish: SummaryOptions,
): Promise<Summarised> {
  if (!conversation.writable || conversation.folderGone)
    throw new CortextError('refused', `${conversation.path} cannot be written to here`, {
      fix: 'cortext doctor',
    })
  const older = toSummarise(await contextRequest(ws, conversation, wish))
  if ('strategy' in older) return { outcome: 'not needed', strategy: older.strategy }
  const best = older.summaries.findLast(({ end }) => end <= older.end)
  const enough = older.summaries.find(({ end }) => end >= older.end)
  if (enough !== undefined) return { outcome: 'there', messages: enough.said, model: enough.model }
  const made = await condense(ws, conversation, wish, older, best)
  const file = await summaryFile(ws, older, { model: `a model of ${wish.client.name}`, ...made.answer })
  const path = writeSummary(conversation.folder, file)
  return {
    outcome: 'made',
    messages: saidIn(older),
    model: file.summary.model,
    path: withSlashes(relative(ws.root, path)),
    asked: made.asked,
    cost: made.cost,
  }
}

function saidIn({ live, end }: ToSummarise): number {
  return live.slice(0, end).filter(isTalk).length
}

interface Condensed {
  answer: AskAnswer
  asked: number
  cost: Cost
}

/** The most rounds. If the last round needs more than one question, the answers do not get shorter. */
const MAX_ROUNDS = 4

/**
 * Asks one question if everything fits the client's window. Otherwise asks about each part, then lets the client
 * summarise the answers.
 */
async function condense(
  ws: Workspace,
  conversation: Conversation,
  wish: SummaryOptions,
  older: ToSummarise,
  best: Covering | undefined,
): Promise<Condensed> {
  const { live, end, targetTokens } = older
  const tokenizer = await o200k()
  const maxTokens = roomIn(ws, conversation, wish.client)
  const cost: Cost = { read: 0, wrote: 0, counted: true }
  let asked = 0
  let inRound = { sent: 0, got: 0 }
  const ask = async (prompt: SummaryPrompt): Promise<AskAnswer> => {
    const answer = await askClient(ws.environment, wish, prompt)
    asked += 1
    const sent = tokenizer.count(prompt.user)
    const got = tokenizer.count(answer.text)
    // The last part of a round may be shorter than any answer about it.
    inRound.sent += sent
    inRound.got += got
    if (inRound.got >= inRound.sent) throw notShorter(wish.client)
    cost.counted &&= answer.tokens !== undefined
    cost.read += answer.tokens?.read ?? sent + tokenizer.count(prompt.system)
    cost.wrote += answer.tokens?.wrote ?? got
    return answer
  }
  let parts = [...(best === undefined ? [] : [asPart(best.content)]), ...live.slice(best?.end ?? 0, end)]
  for (let round = 1; ; round += 1) {
    const prompts = inChunks(parts, maxTokens, targetTokens, tokenizer)
    inRound = { sent: 0, got: 0 }
    if (round === 1) announce(wish, saidIn(older), prompts, tokenizer)
    if (prompts.length === 1) return { answer: await ask(prompts[0]!), asked, cost }
    if (round === MAX_ROUNDS) throw notShorter(wish.client)
    parts = []
    for (const prompt of prompts) parts.push(asPart((await ask(prompt)).text))
  }
}

/** Turns a summary into a message for a prompt. */
function asPart(content: string): Message {
  return { id: '', role: 'system', content: `[Summary of an earlier part] ${content}`, timestamp: '' }
}

/**
 * Returns the most tokens that one question may have. The model is known only if the conversation was last in this
 * client.
 */
function roomIn(ws: Workspace, { session }: Conversation, client: Client): number {
  const { client: lastClient, model } = session.agent_config
  return fullBudget(windowOf(lastClient === client.id ? model : '', ws.config.windows))
}

function announce(
  { onAsk }: SummaryOptions,
  messages: number,
  prompts: readonly SummaryPrompt[],
  tokenizer: Tokenizer,
): void {
  const tokens = prompts.reduce((sum, { system, user }) => sum + tokenizer.count(`${system}\n${user}`), 0)
  // At least one more question summarises the answers about the parts.
  onAsk?.({ messages, tokens, questions: prompts.length === 1 ? 1 : prompts.length + 1 })
}

function notShorter(client: Client): CortextError {
  return new CortextError(
    'refused',
    `the answer of ${client.name} is not shorter than the text that it summarises; nothing was kept`,
    { fix: 'cortext context <id>   (without --summarize-with: the summary is made here)' },
  )
}

async function summaryFile(
  ws: Workspace,
  { live, end }: ToSummarise,
  { text, model }: Required<Pick<AskAnswer, 'text' | 'model'>>,
): Promise<SummaryFile> {
  const tokenizer = await o200k()
  const clean = (words: string) => cleanText(ws.config, words)
  const range = live.slice(0, end)
  const [first, last] = [range[0]!, range.at(-1)!]
  const content = clean(wellFormed(text))
  const tokens = tokenizer.count(content)
  const originalTokens = tokenizer.count(range.map(textOf).join('\n'))
  return {
    version: '1.0',
    range: {
      startMessageId: first.id,
      endMessageId: last.id,
      startSeq: first.seq ?? null,
      endSeq: last.seq ?? null,
      messageCount: end,
    },
    hash: hashOf(range),
    summary: { content, tokens, model: clean(model) },
    originalTokens,
    compressionRatio: Math.round((tokens / Math.max(originalTokens, 1)) * 1000) / 1000,
    created_at: ws.environment.now().toISOString(),
  }
}

/** Tokens of a prompt's instructions. */
const FRAME_TOKENS = 400
/** Tokens of the role before each text. */
const TOKENS_PER_MESSAGE = 8

/**
 * Divides the messages, in their order, into prompts of at most about `maxTokens` tokens. A message that is longer than
 * a prompt is cut.
 */
function inChunks(
  messages: readonly Message[],
  maxTokens: number,
  targetTokens: number,
  tokenizer: Tokenizer,
): SummaryPrompt[] {
  const room = Math.max(1000, maxTokens - FRAME_TOKENS)
  const chunks: Message[][] = [[]]
  let used = 0
  for (const message of messages) {
    // A prompt contains only the beginning of a tool result, so the length of the result does not matter.
    const whole = message.role === 'tool' ? 0 : tokenizer.count(textOf(message))
    const fits = whole + TOKENS_PER_MESSAGE <= room
    const tokens =
      (fits ? whole : room - TOKENS_PER_MESSAGE) + TOKENS_PER_MESSAGE + (message.role === 'tool' ? 80 : 0)
    if (used + tokens > room && used > 0) {
      chunks.push([])
      used = 0
    }
    const shown = fits
      ? message
      : { ...message, content: cutToTokens(textOf(message), room - TOKENS_PER_MESSAGE, tokenizer) }
    chunks.at(-1)!.push(shown)
    used += tokens
  }
  const calls = callsIn(messages)
  return chunks.map((chunk) => summaryPrompt(chunk, targetTokens, calls))
}
