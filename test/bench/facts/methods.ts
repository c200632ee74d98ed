import { toolVocabulary } from '../../../src/clients/all-tools.ts'
import { buildContext } from '../../../src/context/build.ts'
import type { Tokenizer } from '../../../src/context/tokens/index.ts'
import { resumeBlock } from '../../../src/session/resume-block.ts'
import type { Message } from '../../../src/session/schema.ts'
import { session } from '../../session/conversations.ts'
import type { Call, Talk } from './talk.ts'

export const BUDGETS = [2000, 4000, 8000, 20_000] as const
export const METHODS = [
  'cortext',
  'tail',
  'tail with tool calls',
  'head and tail',
  'random messages',
] as const
/** Only where the client has compacted the talk: what it went on with, and what was said since. */
export const OWN_SUMMARY = "the client's summary and tail"
export type Method = (typeof METHODS)[number] | typeof OWN_SUMMARY

const NOW = new Date('2026-02-01T00:00:00Z')
const SEAM = '\n\n'
/** Tokens that a seam may take. */
const SEAM_TOKENS = 2

/** What `cortext context` would print of these messages, without what stands in the title, the workspace and git. */
export function cortext(messages: readonly Message[], budget: number, tokenizer: Tokenizer): string {
  return buildContext({
    messages,
    budget,
    tokenizer,
    record: 'conversations/2026-01-01/001-some-title/.session/messages.jsonl',
    project: 'work',
    tools: toolVocabulary(),
    block: (history) => resumeBlock(session({ context_summary: '' }), { now: NOW, history }),
  }).text
}

/** The other ways to fill the same budget, with what was said: all but one know nothing of tool calls. */
export function others(talk: Talk, tokenizer: Tokenizer): (budget: number) => [Method, string][] {
  const said = talk.said.map(({ who, text }) => `${who === 'person' ? 'User' : 'Assistant'}: ${text}`)
  const costs = said.map((text) => tokenizer.count(text) + SEAM_TOKENS)
  const filled = filler(said, costs, tokenizer)
  const all = withCalls(said, talk.calls)
  const filledWithCalls = filler(
    all,
    all.map((text) => tokenizer.count(text) + SEAM_TOKENS),
    tokenizer,
  )
  const compaction = talk.compactions.at(-1)
  return (budget) => {
    const half = Math.floor(budget / 2)
    const head = filled(
      said.map((_, place) => place),
      half,
      'head',
    )
    const behind = said.map((_, place) => place).filter((place) => !head.whole.has(place))
    const rest = head.cut === undefined ? behind : behind.filter((place) => place !== head.cut)
    const built: [Method, string][] = [
      ['tail', filled(newestFirst(said.length), budget, 'tail').text],
      ['tail with tool calls', filledWithCalls(newestFirst(all.length), budget, 'tail').text],
      ['head and tail', `${head.text}${SEAM}${filled(rest.toReversed(), budget - half, 'tail').text}`],
      ['random messages', filled(shuffled(said.length), budget, 'head').text],
    ]
    if (compaction === undefined) return built
    const summary = cut(compaction.text, budget, 'head', tokenizer)
    const left = budget - tokenizer.count(summary) - SEAM_TOKENS
    const since = newestFirst(said.length).filter((place) => place >= compaction.said)
    return [...built, [OWN_SUMMARY, `${summary}${SEAM}${filled(since, left, 'tail').text}`]]
  }
}

/** What was said and done, in order; of a tool call what it was given and what came of it, both cut. */
function withCalls(said: readonly string[], calls: readonly Call[]): string[] {
  const lines = calls.map((call) => ({ said: call.said, text: callText(call) }))
  return [...said.map((text, place) => ({ said: place + 1, text })), ...lines]
    .sort((a, b) => a.said - b.said)
    .map(({ text }) => text)
}

function callText({ name, input, result }: Call): string {
  const ends = result.length <= SHOWN ? result : `${result.slice(0, SHOWN / 2)} … ${result.slice(-SHOWN / 2)}`
  return `Tool: ${name} ${JSON.stringify(input).slice(0, SHOWN)} → ${ends}`
}

/** The characters of a call, and of its result. */
const SHOWN = 300

interface Filled {
  /** What was taken, in the order of the talk. */
  text: string
  whole: ReadonlySet<number>
  /** The message that was cut, because the rest of the room was too small for it. */
  cut: number | undefined
}

/** Takes messages in a given order until the room is full; of the first that does not fit, its head or its tail. */
export function filler(
  said: readonly string[],
  costs: readonly number[],
  tokenizer: Tokenizer,
): (order: readonly number[], tokens: number, end: 'head' | 'tail') => Filled {
  return (order, tokens, end) => {
    const taken = new Map<number, string>()
    let left = tokens
    let cutOne: number | undefined
    for (const place of order) {
      if (costs[place]! > left) {
        taken.set(place, cut(said[place]!, left - SEAM_TOKENS, end, tokenizer))
        cutOne = place
        break
      }
      taken.set(place, said[place]!)
      left -= costs[place]!
    }
    const text = [...taken].sort(([a], [b]) => a - b).map(([, one]) => one)
    const whole = new Set([...taken.keys()].filter((place) => place !== cutOne))
    return { text: text.filter((one) => one !== '').join(SEAM), whole, cut: cutOne }
  }
}

/** The longest head or tail of a text that has at most so many tokens. */
function cut(text: string, tokens: number, end: 'head' | 'tail', tokenizer: Tokenizer): string {
  const part = (length: number) =>
    length === 0 ? '' : end === 'head' ? text.slice(0, length) : text.slice(-length)
  if (tokens <= 0) return ''
  if (tokenizer.count(text, tokens) <= tokens) return text
  let fits = 0
  let tooLong = text.length
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2)
    if (tokenizer.count(part(middle), tokens) <= tokens) fits = middle
    else tooLong = middle
  }
  return part(fits)
}

export function newestFirst(count: number): number[] {
  return Array.from({ length: count }, (_, place) => count - 1 - place)
}

/** The same order on every machine: a linear congruential generator from a fixed seed. */
export function shuffled(count: number): number[] {
  const places = newestFirst(count)
  let state = 12_345
  for (let last = count - 1; last > 0; last -= 1) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    const other = Math.floor((state / 2 ** 31) * (last + 1))
    const kept = places[last]!
    places[last] = places[other]!
    places[other] = kept
  }
  return places
}
