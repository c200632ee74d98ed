import fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { type BuiltContext, buildContext } from '../../src/context/build.ts'
import { historyLine, receiptLines } from '../../src/context/receipt.ts'
import { answersIn, renderTalk, renderWhole } from '../../src/context/render.ts'
import { STRATEGY_NAMES } from '../../src/context/strategies/index.ts'
import { o200k } from '../../src/context/tokens.ts'
import { brief, neutralise } from '../../src/session/brief.ts'
import { isTalk, livePath, textOf } from '../../src/session/live-path.ts'
import type { Message } from '../../src/session/schema.ts'
import { oneLine } from '../../src/session/title.ts'
import { wellFormed } from '../../src/session/whole-characters.ts'
import { nativeSessions, said, session, text } from '../session/conversations.ts'

const tokenizer = await o200k()
const record = 'conversations/2026-11-21/001-brainstorm-api-design/.session/messages.jsonl'
const now = new Date('2026-11-21T13:45:00Z')

function build(
  messages: readonly Message[],
  budget: number,
  { title = 'API', summary = '', strategy }: { title?: string; summary?: string; strategy?: string } = {},
): BuiltContext {
  const block = (history: string) => brief(session({ title, context_summary: summary }), { now, history })
  return buildContext({ messages, budget, tokenizer, record, block, project: 'work', strategy })
}

const exact = (whole: string) => countTokens(whole, { disallowedSpecial: new Set<string>() })
const safe = (whole: string) => neutralise(wellFormed(whole))
/** Every message of a person or an agent begins with its id, so that it can be told apart from all others. */
const conversation = nativeSessions.map((sessions) =>
  sessions.flat().map((one) => (isTalk(one) ? { ...one, content: `${one.id}: ${one.content}` } : one)),
)
const budget = fc.oneof(
  fc.nat(420),
  fc.integer({ min: 400, max: 4000 }),
  fc.constantFrom(0, 1, 399, 400, 401, 1499, 1500, 2000, 20_000, 200_000, 1_000_000),
)
const strategy = fc.constantFrom(...STRATEGY_NAMES)
const many = { numRuns: 400 }

const long = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    said(`m${n}`, {
      role: n % 2 === 0 ? 'user' : 'assistant',
      content: `Message ${n}. ${'Some more words about it. '.repeat(20)}`,
    }),
  )

describe('buildContext', () => {
  test('S4-P2-9, S4-P2-12, law: with every strategy block and history have at most the budget, and the receipt has their true number', () => {
    fc.assert(
      fc.property(conversation, budget, strategy, text, text, (messages, most, first, title, summary) => {
        const { text: built, receipt } = build(messages, most, { title, summary, strategy: first })
        expect(exact(built)).toBeLessThanOrEqual(most)
        expect(receipt.tokens).toBe(tokenizer.count(built))
        expect(receipt.budget).toBe(most)
        if (most === 0) expect(built).toBe('')
      }),
      many,
    )
  })

  test('S4-P2-5, law: the receipt is true: every message is whole, shortened, summarised or left out, and what is whole is there, in order', () => {
    fc.assert(
      fc.property(conversation, budget, strategy, (messages, most, first) => {
        const { text: built, receipt } = build(messages, most, { strategy: first })
        const live = livePath(messages)
        const talk = live.filter(isTalk)
        const answers = answersIn(live)
        const { whole, shortened, summarised, leftOut } = receipt
        expect(receipt.messages).toBe(talk.length)
        expect(receipt.fromUser).toBe(talk.filter(({ role }) => role === 'user').length)
        expect(whole + shortened + summarised + leftOut).toBe(talk.length)
        expect(Math.min(whole, shortened, summarised, leftOut)).toBeGreaterThanOrEqual(0)
        const pieces = talk.map((message) => [renderWhole(message, answers), renderTalk(message, answers)])
        expect(inOrder(built, pieces)).toBeGreaterThanOrEqual(whole)
        if (receipt.strategy === 'full-history')
          for (const message of live) expect(built).toContain(safe(textOf(message)))
        else expect(inOrder(built, pieces)).toBeLessThanOrEqual(whole + summarised)
      }),
      many,
    )
  })

  test('E-23, law: from 400 tokens on the first task and the newest turn are there, whole or cut', () => {
    const begin = (message: Message) => safe(oneLine(textOf(message))).slice(0, 4)
    fc.assert(
      fc.property(
        conversation,
        fc.integer({ min: 400, max: 3000 }),
        strategy,
        text,
        (messages, most, first, summary) => {
          const { text: built, receipt } = build(messages, most, { summary, strategy: first })
          const talk = livePath(messages).filter(isTalk)
          const asked = talk.filter(({ role }) => role === 'user')
          expect(built.startsWith('[RESUMED CONVERSATION]')).toBe(true)
          expect(built).toContain('[END RESUMED CONTEXT]')
          if (receipt.strategy === 'newest-turn') return
          for (const message of [asked[0], asked.at(-1), talk.at(-1)])
            if (message !== undefined) expect(oneLine(built)).toContain(begin(message))
        },
      ),
      many,
    )
  })

  test('S4-P3-23, law: no result without its call before it', () => {
    fc.assert(
      fc.property(conversation, budget, strategy, (messages, most, first) => {
        const { text: built } = build(messages, most, { strategy: first })
        const orphans = livePath(messages).filter(
          ({ role, tool_call_id: id }) =>
            role === 'tool' && !answersIn(livePath(messages)).calls.has(id ?? ''),
        )
        const results = built.match(/^\[tool result /gm)?.length ?? 0
        const calls = built.match(/^\[tool call .*(?<! → no result)$/gm)?.length ?? 0
        expect(results).toBeLessThanOrEqual(calls + orphans.length)
      }),
      many,
    )
  })

  test('E-23, X-28: a newest turn that alone exceeds the budget is cut with a marker', () => {
    const huge = said('last', { content: `Begin ${'words and words '.repeat(20_000)}end` })
    for (const most of [60, 399, 400, 4000]) {
      const { text: built, receipt } = build([...long(30), huge], most)
      expect(built).toMatch(/### User\nBegin [\s\S]*\[… cut …\][\s\S]*end$/)
      expect(receipt.shortened).toBeGreaterThan(0)
      expect(receipt.strategy).toBe(
        most < 400 ? 'newest-turn' : most < 1500 ? 'minimal-state' : 'recent-plus-summary',
      )
    }
  })

  test('a long summary or title never crowds out the talk', () => {
    const { text: built } = build(long(40), 500, {
      title: 'T '.repeat(2000),
      summary: 'S '.repeat(5000),
    })
    expect(built).toMatch(
      /^\[RESUMED CONVERSATION\][\s\S]*\[END RESUMED CONTEXT\][\s\S]*Message 0\.[\s\S]*Message 39\.[\s\S]*Message 38\./,
    )
  })

  test('S4-DP2, law: deterministic, and no half of a character is ever there', () => {
    fc.assert(
      fc.property(conversation, budget, strategy, (messages, most, first) => {
        const built = build(messages, most, { strategy: first })
        expect(build(messages, most, { strategy: first })).toEqual(built)
        expect(built.text).not.toMatch(/\p{Surrogate}/u)
      }),
      many,
    )
  })

  test('law: more budget never means fewer whole messages, nor a text longer than what was said and its frame', () => {
    fc.assert(
      fc.property(conversation, fc.integer({ min: 400, max: 3000 }), (messages, most) => {
        const all = build(messages, 1_000_000)
        expect(all.receipt.strategy).toBe('full-history')
        const some = build(messages, most)
        expect(some.receipt.whole).toBeLessThanOrEqual(all.receipt.whole)
        const frame = 1000 + 40 * messages.length
        expect(some.text.length).toBeLessThanOrEqual(all.text.length + frame)
      }),
      many,
    )
  })

  test('X-13, S4-P2-6, S4-P2-7, S4-P3-1, S4-P3-22: the strategies in their order, the first that fits', () => {
    const messages = long(40)
    messages[1] = {
      ...messages[1]!,
      tool_calls: [{ id: 't', name: 'Read', arguments: { file_path: 'a.ts' } }],
    }
    const result = said('r', {
      role: 'tool',
      content: 'result\n'.repeat(5000),
      tool_call_id: 't',
      tool_name: 'Read',
    })
    messages.splice(2, 0, result)
    const full = build(messages, 100_000)
    expect(full.receipt).toMatchObject({
      strategy: 'full-history',
      whole: 40,
      leftOut: 0,
      toolResultsWhole: 1,
    })
    expect(build(messages, full.receipt.tokens).text).toBe(full.text)
    const pruned = build(messages, full.receipt.tokens - 1)
    expect(pruned.receipt).toMatchObject({ strategy: 'pruned-tools', whole: 40, toolResultsPruned: 1 })
    expect(build(messages, pruned.receipt.tokens).text).toBe(pruned.text)
    const talk = build(messages, pruned.receipt.tokens - 1)
    expect(talk.receipt).toMatchObject({ strategy: 'talk', whole: 40, leftOut: 0, toolCallsInALine: 1 })
    expect(build(messages, talk.receipt.tokens).text).toBe(talk.text)
    const recent = build(messages, talk.receipt.tokens - 1)
    expect(recent.receipt).toMatchObject({ strategy: 'recent-plus-summary', shortened: 0 })
    expect(recent.receipt.whole).toBeGreaterThan(24)
    expect(recent.receipt.whole + recent.receipt.summarised).toBe(40)
    expect(recent.text).toMatch(
      /## Prior Conversation Summary\n\nTask: Message 0\.[\s\S]*\n\n---\n\n## Recent Messages Follow\n\n### [\s\S]*Message 39\./,
    )
    expect(build(messages, 1499).receipt.strategy).toBe('minimal-state')
    expect(build(messages, 400).receipt.strategy).toBe('minimal-state')
    expect(build(messages, 399).receipt.strategy).toBe('newest-turn')
  })

  test('S4-P2-8, S4-P3-2: pruned-tools is skipped under 2,000 tokens, even where it would fit', () => {
    const result = said('r', {
      role: 'tool',
      content: 'result '.repeat(2000),
      tool_call_id: 't',
      tool_name: 'X',
    })
    const call = said('c', { role: 'assistant', tool_calls: [{ id: 't', name: 'X', arguments: {} }] })
    const messages = [said('a'), call, result, ...Array.from({ length: 6 }, (_, n) => said(`m${n}`))]
    expect(build(messages, 2000).receipt).toMatchObject({
      strategy: 'pruned-tools',
      toolResultsPruned: 1,
      whole: 8,
    })
    expect(build(messages, 1999).receipt.strategy).toBe('talk')
  })

  test('S4-P2-5: every tool result that is there is counted, also one that the record has only in part', () => {
    const told = Array.from({ length: 5 }, (_, n) => [
      said(`c${n}`, { role: 'assistant', tool_calls: [{ id: `t${n}`, name: 'X', arguments: {} }] }),
      said(`r${n}`, {
        role: 'tool',
        content: `${'result '.repeat(500)}`,
        tool_call_id: `t${n}`,
        tool_name: 'X',
        truncated: { bytes: 100_000, sha256: 'a' },
      }),
    ]).flat()
    const messages = [said('a'), ...told]
    for (const [most, first, whole, pruned] of [
      [20_000, 'full-history', 5, 0],
      [20_000, 'pruned-tools', 3, 2],
      [20_000, 'recent-plus-summary', 3, 0],
    ] as const) {
      const { text: built, receipt } = build(messages, most, { strategy: first })
      expect(receipt).toMatchObject({ strategy: first, toolResultsWhole: whole, toolResultsPruned: pruned })
      expect(built.match(/^\[tool result /gm)).toHaveLength(whole + pruned)
    }
  })

  test('a strategy that is asked for is the first that is tried', () => {
    for (const first of STRATEGY_NAMES)
      expect(build(long(40), 20_000, { strategy: first }).receipt.strategy).toBe(first)
    expect(build(long(40), 1000, { strategy: 'talk' }).receipt.strategy).toBe('minimal-state')
  })

  test('the room that a summary leaves is used for the talk before the last messages', () => {
    const { receipt } = build(long(400), 8000)
    expect(receipt.strategy).toBe('recent-plus-summary')
    expect(receipt.whole).toBeGreaterThan(35)
    expect(receipt.tokens).toBeGreaterThan(7000)
  })

  test('what a rewind took back is not there', () => {
    const messages = [
      said('a'),
      said('b'),
      said('back', { role: 'system', event: 'rewound', to: 'a', content: '' }),
      said('c'),
    ]
    const { text: built } = build(messages, 20_000)
    expect(built).toContain('History: 2 messages (2 from you), included in full')
    expect(built).not.toContain('said in b')
  })

  test('a conversation in which nothing was said is its block', () => {
    expect(build([], 20_000).text).toContain('History: nothing was said yet')
    expect(build([], 20_000).text.endsWith('[END RESUMED CONTEXT]')).toBe(true)
    expect(exact(build([], 10).text)).toBeLessThanOrEqual(10)
    const crowded = build([], 400, { title: 'T '.repeat(3000) })
    expect(crowded.text).toMatch(/^\[RESUMED CONVERSATION\][\s\S]*\[END RESUMED CONTEXT\]$/)
    expect(build([], 10)).toMatchObject({ text: '', receipt: { tokens: 0, messages: 0 } })
  })

  test('the block and the receipt say the same, exactly', () => {
    for (const most of [100_000, 2000, 500]) {
      const { text: built, receipt } = build(long(60), most)
      expect(built).toContain(`\nHistory: ${historyLine(receipt)}\n`)
    }
  })
})

describe('the receipt in words', () => {
  const receipt = { ...build([], 0).receipt, budget: 500, messages: 24, fromUser: 12, whole: 24 }

  test('X-12, X-13: which messages are there, and where all of them are', () => {
    expect(historyLine(receipt)).toBe('24 messages (12 from you), included in full')
    expect(historyLine({ ...receipt, toolCallsInALine: 3 })).toBe(
      `24 messages (12 from you): every text in full, 3 tool calls as one line each; the whole record is in ${record}`,
    )
    expect(
      historyLine({ ...receipt, whole: 5, shortened: 1, summarised: 8, leftOut: 10, toolCallsInALine: 1 }),
    ).toBe(
      `24 messages (12 from you): 5 in full, 1 shortened, 8 summarised, 10 left out, 1 tool call as one line; the whole record is in ${record}`,
    )
  })

  test('for a terminal', () => {
    expect(receiptLines({ ...receipt, strategy: 'talk', tokens: 480, whole: 6, leftOut: 18 })).toEqual([
      'Context: 480 of 500 tokens (o200k), strategy talk; messages: 6 whole, 18 left out.',
      `Whole history: ${record}`,
    ])
  })
})

/** How many of the messages are there in one of their forms, each behind the one before it. */
function inOrder(built: string, messages: string[][]): number {
  let at = Math.max(built.indexOf('[END RESUMED CONTEXT]'), 0)
  let found = 0
  for (const forms of messages) {
    const [next] = forms
      .map((form) => ({ place: built.indexOf(form, at), form }))
      .filter(({ place }) => place >= 0)
      .sort((a, b) => a.place - b.place)
    if (next === undefined) continue
    at = next.place + next.form.length
    found += 1
  }
  return found
}
