import fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { type BuiltContext, buildContext } from '../../src/context/build.ts'
import { historyLine, receiptLines } from '../../src/context/receipt.ts'
import { answersIn, renderTalk, renderWhole } from '../../src/context/render.ts'
import { o200k } from '../../src/context/tokens.ts'
import { brief, neutralise } from '../../src/session/brief.ts'
import { isTalk, livePath, textOf } from '../../src/session/live-path.ts'
import type { Message } from '../../src/session/schema.ts'
import { wellFormed } from '../../src/session/whole-characters.ts'
import { nativeSessions, said, session, text } from '../session/conversations.ts'

const tokenizer = await o200k()
const record = 'conversations/2026-11-21/001-brainstorm-api-design/.session/messages.jsonl'
const now = new Date('2026-11-21T13:45:00Z')

function build(messages: readonly Message[], budget: number, title = 'API', summary = ''): BuiltContext {
  const block = (history: string) => brief(session({ title, context_summary: summary }), { now, history })
  return buildContext({ messages, budget, tokenizer, record, block })
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
  fc.constantFrom(0, 1, 399, 400, 401, 20_000, 200_000),
)
const many = { numRuns: 400 }

const long = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    said(`m${n}`, {
      role: n % 2 === 0 ? 'user' : 'assistant',
      content: `Message ${n}. ${'Some more words about it. '.repeat(20)}`,
    }),
  )

describe('buildContext', () => {
  test('S4-P2-9, S4-P2-12, law: block and history never have more tokens than the budget, and the receipt has their true number', () => {
    fc.assert(
      fc.property(conversation, budget, text, text, (messages, most, title, summary) => {
        const { text: built, receipt } = build(messages, most, title, summary)
        expect(exact(built)).toBeLessThanOrEqual(most)
        expect(receipt.tokens).toBe(tokenizer.count(built))
        expect(receipt.budget).toBe(most)
        if (most === 0) expect(built).toBe('')
      }),
      many,
    )
  })

  test('S4-P2-5, law: the receipt is true: every message is whole, shortened or left out, and what is whole is there, in order', () => {
    fc.assert(
      fc.property(conversation, budget, (messages, most) => {
        const { text: built, receipt } = build(messages, most)
        const live = livePath(messages)
        const talk = live.filter(isTalk)
        const answers = answersIn(live)
        expect(receipt.messages).toBe(talk.length)
        expect(receipt.fromUser).toBe(talk.filter(({ role }) => role === 'user').length)
        expect(receipt.whole + receipt.shortened + receipt.leftOut).toBe(talk.length)
        expect(Math.min(receipt.whole, receipt.shortened, receipt.leftOut)).toBeGreaterThanOrEqual(0)
        if (receipt.strategy === 'full-history') {
          expect(
            inOrder(
              built,
              live.map((message) => renderWhole(message, answers)),
            ),
          ).toBe(live.length)
          for (const message of live) expect(built).toContain(safe(textOf(message)))
        } else {
          const found = inOrder(
            built,
            talk.map((message) => renderTalk(message, answers)),
          )
          expect(found).toBe(receipt.whole)
        }
      }),
      many,
    )
  })

  test('E-23, law: from 400 tokens on the block, the first task and the newest turn are there, whole or cut', () => {
    fc.assert(
      fc.property(conversation, fc.integer({ min: 400, max: 1500 }), text, (messages, most, summary) => {
        const { text: built, receipt } = build(messages, most, 'API', summary)
        const render = receipt.strategy === 'full-history' ? renderWhole : renderTalk
        const talk = livePath(messages).filter(isTalk)
        const answers = answersIn(livePath(messages))
        const asked = talk.filter(({ role }) => role === 'user')
        expect(built.startsWith('[RESUMED CONVERSATION]')).toBe(true)
        expect(built).toContain('[END RESUMED CONTEXT]')
        for (const message of [asked[0], asked.at(-1), talk.at(-1)]) {
          if (message === undefined) continue
          const piece = render(message, answers)
          expect(built.includes(piece) || cutOf(piece, built)).toBe(true)
        }
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
      expect(receipt.strategy).toBe(most < 400 ? 'newest-turn' : 'recent-talk')
    }
  })

  test('a long summary or title never crowds out the talk', () => {
    const { text: built } = build(long(40), 400, 'T '.repeat(2000), 'S '.repeat(5000))
    expect(built).toMatch(
      /^\[RESUMED CONVERSATION\][\s\S]*\[END RESUMED CONTEXT\][\s\S]*Message 0\.[\s\S]*Message 38\.[\s\S]*Message 39\./,
    )
  })

  test('S4-DP2, law: deterministic, and no half of a character is ever there', () => {
    fc.assert(
      fc.property(conversation, budget, (messages, most) => {
        const built = build(messages, most)
        expect(build(messages, most)).toEqual(built)
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
    messages.splice(2, 0, said('r', { role: 'tool', content: 'result '.repeat(5000), tool_call_id: 't' }))
    const full = build(messages, 100_000)
    expect(full.receipt).toMatchObject({
      strategy: 'full-history',
      whole: 40,
      leftOut: 0,
      toolResultsWhole: 1,
    })
    expect(build(messages, full.receipt.tokens).text).toBe(full.text)
    const talk = build(messages, full.receipt.tokens - 1)
    expect(talk.receipt).toMatchObject({ strategy: 'talk', whole: 40, leftOut: 0, toolCallsInALine: 1 })
    expect(build(messages, talk.receipt.tokens).text).toBe(talk.text)
    const recent = build(messages, talk.receipt.tokens - 1)
    expect(recent.receipt).toMatchObject({ strategy: 'recent-talk', shortened: 0 })
    expect(recent.receipt.whole).toBeGreaterThan(36)
    expect(recent.text).toMatch(
      /Message 0\.[\s\S]*\n\n\[… [123] messages? (is|are) left out here …\]\n\n[\s\S]*Message 39\./,
    )
  })

  test('what fits of a long newest turn is its question and its latest answers', () => {
    const turn = long(200).map((message, n) => ({
      ...message,
      role: n === 0 ? ('user' as const) : ('assistant' as const),
    }))
    const { text: built, receipt } = build(turn, 4000)
    expect(receipt.whole).toBeGreaterThan(20)
    expect(receipt.shortened).toBe(0)
    expect(built).toMatch(/Message 0\.[\s\S]*left out here[\s\S]*Message 198\.[\s\S]*Message 199\./)
  })

  test('a huge first task is cut, and the room that is left is used', () => {
    const messages = [said('task', { content: 'log line '.repeat(50_000) }), ...long(60).slice(1)]
    const { receipt } = build(messages, 6000)
    expect(receipt.shortened).toBe(1)
    expect(receipt.whole).toBeGreaterThan(20)
    expect(receipt.tokens).toBeGreaterThan(5000)
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
    const crowded = build([], 400, 'T '.repeat(3000))
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
    expect(historyLine({ ...receipt, whole: 5, shortened: 1, leftOut: 18, toolCallsInALine: 1 })).toBe(
      `24 messages (12 from you): 5 in full, 1 shortened, 18 left out, 1 tool call as one line; the whole record is in ${record}`,
    )
  })

  test('for a terminal', () => {
    expect(receiptLines({ ...receipt, strategy: 'recent-talk', tokens: 480, whole: 6, leftOut: 18 })).toEqual(
      [
        'Context: 480 of 500 tokens (o200k), strategy recent-talk; messages: 6 whole, 18 left out.',
        `Whole history: ${record}`,
      ],
    )
  })
})

/** How many of the pieces are there, each behind the one before it. */
function inOrder(built: string, pieces: string[]): number {
  let at = built.indexOf('[END RESUMED CONTEXT]')
  let found = 0
  for (const piece of pieces) {
    const place = built.indexOf(piece, Math.max(at, 0))
    if (place === -1) continue
    at = place + piece.length
    found += 1
  }
  return found
}

/** Whether a cut of the piece is there: its speaker, and some of what follows, up to a marker. */
function cutOf(piece: string, built: string): boolean {
  return built.split('\n[… cut …]\n').some((part) => {
    const start = part.lastIndexOf('### ')
    return start !== -1 && part.length > start + 8 && piece.startsWith(part.slice(start))
  })
}
