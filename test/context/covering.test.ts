import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BuiltContext, buildContext, toSummarise } from '../../src/context/build.ts'
import { buildMessages } from '../../src/context/messages.ts'
import { historyLine, receiptLines } from '../../src/context/receipt.ts'
import { STRATEGY_NAMES } from '../../src/context/strategies/index.ts'
import { o200k } from '../../src/context/tokens/index.ts'
import { isTalk, livePath, textOf } from '../../src/session/live-path.ts'
import { neutralise, resumeBlock } from '../../src/session/resume-block.ts'
import type { Message } from '../../src/session/schema.ts'
import { hashOf, type SummaryFile } from '../../src/session/summary-file.ts'
import { oneLine } from '../../src/text/line.ts'
import { wellFormed } from '../../src/text/whole-characters.ts'
import { runs, TIME_FOR_RUNS } from '../helpers/long.ts'
import { rewound, said, session, text } from '../session/conversations.ts'
import { conversation, long, withinBudget } from './building.ts'
import { TOOLS } from './tools.ts'

const tokenizer = await o200k()
const now = new Date('2026-11-21T13:45:00Z')
const NAME = 'model-x'

function request(messages: readonly Message[], budget: number, summaries: readonly SummaryFile[]) {
  const block = (history: string) =>
    resumeBlock(session({ title: 'API', context_summary: '' }), { now, history })
  return {
    messages,
    budget,
    tokenizer,
    record: 'messages.jsonl',
    block,
    project: 'work',
    tools: TOOLS,
    summaries,
  }
}

const build = (
  messages: readonly Message[],
  budget: number,
  summaries: readonly SummaryFile[],
  strategy?: string,
): BuiltContext => buildContext({ ...request(messages, budget, summaries), strategy })

/** A summary of the first messages of a conversation, as they are. */
function summaryOf(messages: readonly Message[], end: number, content: string, model = NAME): SummaryFile {
  const range = livePath(messages).slice(0, end)
  return {
    version: '1.0',
    range: {
      startMessageId: range[0]?.id ?? '',
      endMessageId: range.at(-1)?.id ?? '',
      startSeq: null,
      endSeq: null,
      messageCount: range.length,
    },
    hash: hashOf(range),
    summary: { content, tokens: tokenizer.count(content), model },
    originalTokens: 1000,
    compressionRatio: 0.1,
    created_at: now.toISOString(),
  }
}

/** Longer, so that something is left out. */
const longer = conversation.map((messages) => [...long(30), ...messages])
const summaries = fc.array(fc.tuple(fc.nat(60), text, fc.boolean()), { maxLength: 4 })
const withSummaries = fc.tuple(fc.oneof(conversation, longer, longer), summaries).map(([messages, some]) => ({
  messages,
  summaries: some.map(([end, content, stale]) => {
    const one = summaryOf(messages, end, `${content} words`)
    return stale ? { ...one, hash: hashOf([]) } : one
  }),
}))
const budget = fc.oneof(fc.integer({ min: 1500, max: 4000 }), fc.nat(500), fc.constantFrom(0, 1500, 20_000))
const strategy = fc.constantFrom(undefined, 'recent-plus-summary', 'recent-plus-summary', ...STRATEGY_NAMES)
const many = runs(50, 1500)

describe('with summaries of a model', { timeout: TIME_FOR_RUNS }, () => {
  test('S4-P2-9, S4-P3-13, law: a context keeps its budget, the receipt has its tokens, and building it twice gives the same', () => {
    let used = 0
    fc.assert(
      fc.property(withSummaries, budget, strategy, ({ messages, summaries: some }, most, first) => {
        const built = build(messages, most, some, first)
        withinBudget(built, most)
        expect(build(messages, most, some, first)).toEqual(built)
        expect(built.text).not.toMatch(/\p{Surrogate}/u)
        const { whole, shortened, summarised, leftOut, byModel } = built.receipt
        expect(whole + shortened + summarised + leftOut).toBe(built.receipt.messages)
        expect(Math.min(whole, shortened, summarised, leftOut)).toBeGreaterThanOrEqual(0)
        if (byModel !== undefined) used += 1
        if (byModel !== undefined) expect(byModel.messages).toBeLessThanOrEqual(summarised)
        expect(built.text.includes(`, by ${NAME}:`)).toBe(byModel !== undefined)
        const loop = buildMessages({ ...request(messages, most, some), strategy: first })
        expect(loop.tokensUsed).toBeLessThanOrEqual(most)
      }),
      many,
    )
    expect(used).toBeGreaterThan(0)
  })

  test('E-23, law: the first task and the newest turn are in every context', () => {
    const begin = (message: Message) => neutralise(wellFormed(oneLine(textOf(message)))).slice(0, 4)
    fc.assert(
      fc.property(
        withSummaries,
        fc.integer({ min: 400, max: 3000 }),
        strategy,
        ({ messages, summaries: some }, most, first) => {
          const { text: built, receipt } = build(messages, most, some, first)
          if (receipt.strategy === 'newest-turn') return
          const talk = livePath(messages).filter(isTalk)
          const asked = talk.filter(({ role }) => role === 'user')
          for (const message of [asked[0], asked.at(-1), talk.at(-1)])
            if (message !== undefined) expect(oneLine(built)).toContain(begin(message))
        },
      ),
      many,
    )
  })

  test('S4-P3-13, law: a summary of other messages than those that the record has now changes nothing', () => {
    fc.assert(
      fc.property(longer, fc.integer({ min: 1, max: 40 }), fc.nat(), (messages, end, which) => {
        const one = summaryOf(messages, end, 'A summary.')
        const live = livePath(messages).slice(0, end)
        if (live.length === 0) return
        const { id } = live[which % live.length]!
        const edited = messages.map((message) =>
          message.id === id ? { ...message, content: `${textOf(message)}, and this` } : message,
        )
        const pruned = messages.filter((message) => message.id !== id)
        for (const now of [edited, pruned])
          expect(build(now, 1600, [one], 'recent-plus-summary')).toEqual(
            build(now, 1600, [], 'recent-plus-summary'),
          )
      }),
      many,
    )
  })
})

test('S4-P3-13 S4-P3-12: a context has the task, the summary, notes on what was said since and the recent messages; the receipt says which model summarised how many', () => {
  const { text: built, receipt } = build(long(100), 4000, [summaryOf(long(100), 40, 'They chose REST.')])
  expect(built).toMatch(
    /## Prior Conversation Summary\n\nTask: Message 0\.[^\n]*\nSummary of the first 40 messages, by model-x:\n They chose REST\.\nNoted besides:\n[\s\S]*\n\n---\n\n## Recent Messages Follow\n\n\[… \d+ messages left out; \[…\] marks a gap …\]\n\n(?:\[…\]\n\n)?### [\s\S]*Message 99\./,
  )
  // What the summary stands for is not told again below it.
  expect(built).not.toMatch(/- (?:User|Assistant): Message (?:[1-9]|[123]\d)\./)
  expect(built).toMatch(/- (?:User|Assistant): Message [4-9]\d\./)
  const { byModel, summarised } = receipt
  expect(byModel?.model).toBe(NAME)
  expect(summarised).toBeGreaterThan(byModel!.messages)
  const words = `${summarised} summarised (${byModel!.messages} in a summary by model-x, ${summarised - byModel!.messages} mechanically)`
  expect(historyLine(receipt)).toContain(words)
  expect(receiptLines(receipt)[0]).toContain(words)
  expect(built).toContain(`\nHistory: ${historyLine(receipt)}\n`)
})

test('messages that a summary covers are counted without tool results, as in the receipt', () => {
  const messages = long(100).flatMap((message, n) =>
    message.role === 'user'
      ? [message]
      : [
          { ...message, tool_calls: [{ id: `t${n}`, name: 'Read', arguments: {} }] },
          said(`r${n}`, { role: 'tool', content: 'found', tool_call_id: `t${n}`, tool_name: 'Read' }),
        ],
  )
  const { text: built } = build(messages, 4000, [summaryOf(messages, 60, 'They chose REST.')])
  expect(built).toContain('Summary of the first 40 messages, by model-x:')
})

test('of several summaries, the one is used that covers most and ends before the recent messages', () => {
  const messages = long(100)
  const all = [
    summaryOf(messages, 20, 'Least.'),
    summaryOf(messages, 60, 'Most.'),
    summaryOf(messages, 40, 'Less.'),
    summaryOf(messages, 97, 'Into the recent ones.'),
    { ...summaryOf(messages, 80, 'Stale.'), hash: hashOf([]) },
    summaryOf(messages.slice(10), 60, 'Not the beginning.'),
  ]
  for (const some of [all, all.toReversed()]) {
    const { text: built } = build(messages, 4000, some)
    expect(built).toContain('Summary of the first 60 messages, by model-x:\n Most.')
  }
})

test('S4-P3-11, X-30: a summary that is longer than three tenths of the room is cut to them', () => {
  const words = `Begin ${'of a long summary '.repeat(3000)}end`
  const { text: built, receipt } = build(long(100), 4000, [summaryOf(long(100), 40, words)])
  expect(built).toMatch(/by model-x:\n Begin of[\s\S]*\[… cut …\][\s\S]*end\n/)
  expect(receipt.tokens).toBeLessThanOrEqual(4000)
  expect(receipt.whole).toBeGreaterThanOrEqual(6)
  const [, summary] = /by model-x:\n([\s\S]*)\n\n---\n\n## Recent Messages Follow/.exec(built) ?? []
  expect(tokenizer.count(summary ?? '')).toBeGreaterThan(0.2 * 4000)
  expect(tokenizer.count(summary ?? '')).toBeLessThanOrEqual(0.3 * 4000)
})

test('a rewind inside the range of a summary makes the summary stale, a later one does not', () => {
  const messages = long(60)
  const one = summaryOf(messages, 30, 'They chose REST.')
  const back = (to: string) => [
    ...messages,
    rewound(to),
    ...long(60).map((m) => ({ ...m, id: `again-${m.id}` })),
  ]
  expect(build(back('m20'), 3000, [one]).text).not.toContain('They chose REST.')
  expect(build(back('m40'), 3000, [one]).text).toContain('They chose REST.')
})

test('a model is asked to summarise what is not shown, and nothing if everything fits', () => {
  expect(toSummarise(request(long(40), 100_000, []))).toEqual({ strategy: 'full-history' })
  expect(toSummarise(request(long(100), 1000, []))).toEqual({ strategy: 'minimal-state' })
  const asked = toSummarise(request(long(100), 4000, []))
  if ('strategy' in asked) throw new Error(asked.strategy)
  expect(asked.end).toBeGreaterThan(60)
  expect(asked.end).toBeLessThanOrEqual(94)
  expect(asked.targetTokens).toBeGreaterThan(500)
  expect(asked.targetTokens).toBeLessThan(0.3 * 4000)
  // What it answers in that many tokens stands there whole, and nothing that it covers is told again.
  const content = 'word '.repeat(asked.targetTokens - 20).trim()
  const { text: built, receipt } = build(long(100), 4000, [summaryOf(long(100), asked.end, content)])
  expect(built).toContain(content)
  expect(receipt.leftOut).toBe(0)
})
