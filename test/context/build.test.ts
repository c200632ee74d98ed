import { describe, expect, onTestFinished, test } from 'vitest'
import { historyLine } from '../../src/context/receipt.ts'
import { STRATEGIES, STRATEGY_NAMES } from '../../src/context/strategies/index.ts'
import type { Strategy } from '../../src/context/strategy.ts'
import type { Tokenizer } from '../../src/context/tokens/index.ts'
import { said } from '../session/conversations.ts'
import { build, exact, long, tokenizer } from './building.ts'

describe('buildContext', () => {
  test('E-23, X-28: a newest turn that alone exceeds the budget is cut with a marker', () => {
    const huge = said('last', { content: `Begin ${'words and words '.repeat(20_000)}end` })
    for (const most of [60, 399, 400, 4000]) {
      const { text: built, receipt } = build([...long(30), huge], most)
      expect(built).toMatch(/### User\n Begin [\s\S]*\[… cut …\][\s\S]*end$/)
      expect(receipt.shortened).toBeGreaterThan(0)
      expect(receipt.strategy).toBe(
        most < 400 ? 'newest-turn' : most < 1500 ? 'minimal-state' : 'recent-plus-summary',
      )
    }
  })

  test.each(['user', 'assistant', 'argument'] as const)(
    'E-23: of 40 MB in one message (%s) no more is read than a context could show',
    (where) => {
      const content = 'Some words 漢字, and so on.\n'.repeat(1_500_000)
      const calls = [{ id: 't', name: 'Write', arguments: { file_path: 'a.ts', prompt: content } }]
      const huge =
        where === 'argument'
          ? said('h', { role: 'assistant', content: 'Writing.', tool_calls: calls })
          : said('h', { role: where, content })
      for (const strategy of ['full-history', 'minimal-state'])
        for (const messages of [
          [...long(8), huge],
          [huge, ...long(8)],
        ]) {
          let rendered = 0
          const counted: Tokenizer = {
            ...tokenizer,
            count(text, limit) {
              if (text.startsWith('### ')) rendered = Math.max(rendered, text.length)
              return tokenizer.count(text, limit)
            },
          }
          const { receipt } = build(messages, 8000, { strategy, tokenizer: counted })
          expect(receipt.tokens).toBeLessThanOrEqual(8000)
          expect(receipt.messages).toBe(9)
          expect(rendered).toBeGreaterThan(0)
          expect(rendered).toBeLessThan(9000 * 128)
        }
    },
  )

  test('a long summary or title never crowds out the talk', () => {
    const { text: built } = build(long(40), 500, {
      title: 'T '.repeat(2000),
      summary: 'S '.repeat(5000),
    })
    expect(built).toMatch(
      /^\[RESUMED CONVERSATION\][\s\S]*\[END RESUMED CONTEXT\][\s\S]*Message 0\.[\s\S]*Message 39\.[\s\S]*Message 38\./,
    )
  })

  // promise: Otherwise it is **handed over**
  // promise: shortened step by step, down
  test('X-13, S4-P2-6, S4-P2-7, S4-P3-1: strategies are tried in their order, and the first that fits is used', () => {
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
    expect(pruned.receipt.tokens).toBeGreaterThan(0.95 * full.receipt.tokens)
    let least = pruned.receipt.tokens
    while (build(messages, least).receipt.strategy === 'pruned-tools') least -= 50
    const talk = build(messages, least)
    expect(talk.receipt).toMatchObject({ strategy: 'talk', whole: 40, leftOut: 0 })
    let most = talk.receipt.tokens
    while (build(messages, most - 1).receipt.strategy === 'talk') most -= 1
    const line = build(messages, most)
    expect(line.receipt).toMatchObject({ whole: 40, leftOut: 0, toolCallsInALine: 1 })
    expect(line.receipt.tokens).toBe(most)
    const recent = build(messages, most - 1)
    expect(recent.receipt.strategy).toBe('recent-plus-summary')
    expect(recent.receipt.whole).toBeGreaterThan(24)
    const { whole, shortened, summarised } = recent.receipt
    expect(whole + shortened + summarised).toBe(40)
    expect(shortened).toBeLessThanOrEqual(1)
    expect(recent.text).toMatch(
      /## Prior Conversation Summary\n\nTask: \(what the user asks first below\)\n[\s\S]*\n\n---\n\n## Recent Messages Follow\n\n### User\n Message 0\.[\s\S]*Message 39\./,
    )
    expect(recent.text.match(/Message 0\./g), 'the first question is there once').toHaveLength(1)
    expect(recent.text).not.toMatch(/\d+ left out/)
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

  test('S4-P3-3: pruned-tools shortens only tool results, and only before the last six messages', () => {
    const did = (id: string) => [
      said(`${id}c`, { role: 'assistant', tool_calls: [{ id, name: 'X', arguments: {} }] }),
      said(`${id}r`, { role: 'tool', content: `${id} ${'result '.repeat(800)}`, tool_call_id: id }),
    ]
    const words = `Words ${'of the person '.repeat(200)}`
    const messages = [said('a', { content: words }), ...did('early'), said('b'), said('d'), ...did('late')]
    const { text: built, receipt } = build(messages, 6000, { strategy: 'pruned-tools' })
    expect(receipt).toMatchObject({ toolResultsWhole: 2, toolResultsPruned: 0 })
    // There is no room for both as they were.
    const later = build([...messages, said('e'), said('f')], 2200, { strategy: 'pruned-tools' })
    expect(later.receipt).toMatchObject({
      strategy: 'pruned-tools',
      toolResultsWhole: 1,
      toolResultsPruned: 1,
    })
    for (const one of [built, later.text]) {
      expect(one).toContain(words.trim())
      expect(one).toContain(`late ${'result '.repeat(800)}`.trim())
    }
    expect(later.text).toMatch(/\[Tool output: \d+ chars\]\n early result/)
  })

  test('S4-P3-3, S4-P3-9: tool results among the last six messages stay whole, older ones only if there is room', () => {
    const did = (id: string, words: number) => [
      said(`${id}c`, { role: 'assistant', tool_calls: [{ id, name: 'X', arguments: {} }] }),
      said(`${id}r`, { role: 'tool', content: `${id} ${'result '.repeat(words)}`, tool_call_id: id }),
    ]
    const rest = Array.from({ length: 4 }, (_, n) => said(`m${n}`))
    const messages = [...long(6), ...did('early', 1600), said('b'), ...did('late', 800), ...rest]
    for (const [strategy, little] of [
      ['pruned-tools', 2000],
      ['recent-plus-summary', 2900],
    ] as const)
      for (const [most, whole] of [
        [little, 1],
        [6000, 2],
      ] as const) {
        const { text: built, receipt } = build(messages, most, { strategy })
        expect(receipt, `${strategy}, ${most} tokens`).toMatchObject({ strategy, toolResultsWhole: whole })
        expect(built).toContain(`late ${'result '.repeat(800)}`.trim())
      }
  })

  test('S4-P3-9, S0-R2a: from 1,500 tokens on, the last six messages are shown as they were said, after a summary of the rest', () => {
    const messages = long(40)
    const { text: built, receipt } = build(messages, 1500, { strategy: 'recent-plus-summary' })
    expect(receipt.strategy).toBe('recent-plus-summary')
    expect(build(messages, 1499, { strategy: 'recent-plus-summary' }).receipt.strategy).toBe('minimal-state')
    const [before, after] = built.split('## Recent Messages Follow')
    expect(before).toContain('## Prior Conversation Summary\n')
    for (const { content } of messages.slice(-6)) expect(after).toContain(String(content).trim())
  })

  test('S4-P3-10: six messages are all shown, and nothing is summarised', () => {
    const built = build(long(6), 1500, { strategy: 'recent-plus-summary' })
    expect(built.receipt).toMatchObject({ strategy: 'recent-plus-summary', whole: 6, summarised: 0 })
    expect(built.text).not.toContain('Prior Conversation Summary')
  })

  test('S4-DP3: a new strategy needs only an entry in the list; the code that tries strategies names none', () => {
    const mine: Strategy = {
      name: 'mine',
      priority: 0,
      minTokens: 0,
      fitsItself: false,
      show: () => ({
        pieces: [{ note: 'Told by mine.' }],
        whole: 0,
        shortened: 0,
        summarised: 0,
        toolResultsWhole: 0,
        toolResultsPruned: 0,
        toolCallsInALine: 0,
      }),
    }
    const list = STRATEGIES as Strategy[]
    list.unshift(mine)
    onTestFinished(() => void list.shift())
    const built = build(long(6), 4000)
    expect(built.receipt).toMatchObject({ strategy: 'mine', leftOut: 6 })
    expect(built.text).toContain('Told by mine.')
  })

  test('S4-P3-4, S4-P3-5: results in the style of OpenAI, without the name of their tool, are pruned by kind', () => {
    const did = (id: string, name: string, content: string) => [
      said(`${id}c`, { role: 'assistant', tool_calls: [{ id, name, arguments: {} }] }),
      said(`${id}r`, { role: 'tool', content, tool_call_id: id }),
    ]
    const file = Array.from({ length: 900 }, (_, n) => `line ${n}`).join('\n')
    const tail = Array.from({ length: 6 }, (_, n) => said(`m${n}`))
    const messages = [said('a'), ...did('1', 'read_file', file), ...did('2', 'bash', file), ...tail]
    const { text: built } = build(messages, 3000, { strategy: 'pruned-tools' })
    expect(built).toContain('[tool result read_file]\n [File: 900 lines]\n line 0\n')
    expect(built).toContain(`[tool result bash]\n [Command output: ${file.length} chars]\n line 0\n`)
  })

  test('S4-P2-5: every tool result in a context is counted, even if the record has only a part of it', () => {
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
      [20_000, 'pruned-tools', 5, 0],
      [2200, 'pruned-tools', 3, 2],
      [20_000, 'recent-plus-summary', 5, 0],
    ] as const) {
      const { text: built, receipt } = build(messages, most, { strategy: first })
      expect(receipt).toMatchObject({ strategy: first, toolResultsWhole: whole, toolResultsPruned: pruned })
      expect(built.match(/^\[tool result /gm)).toHaveLength(whole + pruned)
    }
  })

  test('S4-P3-12: the task is in a context once: in the summary, or in the person’s message', () => {
    for (const most of [1500, 3000, 4500, 6000]) {
      const { text: built, receipt } = build(long(80), most, { strategy: 'recent-plus-summary' })
      expect(receipt.strategy).toBe('recent-plus-summary')
      expect(built.match(/Message 0\./g), `${most} tokens`).toHaveLength(1)
    }
  })

  test('a requested strategy is tried first', () => {
    for (const first of STRATEGY_NAMES)
      expect(build(long(40), 20_000, { strategy: first }).receipt.strategy).toBe(first)
    expect(build(long(40), 1000, { strategy: 'talk' }).receipt.strategy).toBe('minimal-state')
  })

  test('room that a summary does not use is filled with the talk before the last messages', () => {
    const { receipt } = build(long(400), 8000)
    expect(receipt.strategy).toBe('recent-plus-summary')
    expect(receipt.whole).toBeGreaterThan(35)
    expect(receipt.tokens).toBeGreaterThan(7000)
  })

  test('a context does not have what a rewind took back', () => {
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

  test('the context of a conversation without messages is only the block', () => {
    expect(build([], 20_000).text).toContain('History: nothing was said yet')
    expect(build([], 20_000).text.endsWith('[END RESUMED CONTEXT]')).toBe(true)
    expect(exact(build([], 10).text)).toBeLessThanOrEqual(10)
    const crowded = build([], 400, { title: 'T '.repeat(3000) })
    expect(crowded.text).toMatch(/^\[RESUMED CONVERSATION\][\s\S]*\[END RESUMED CONTEXT\]$/)
    expect(build([], 10)).toMatchObject({ text: '', receipt: { tokens: 0, messages: 0 } })
  })

  // promise: What a resume gives never
  // promise: The block says what was left out and in which file it
  test('the block and the receipt have the same numbers', () => {
    for (const most of [100_000, 2000, 500]) {
      const { text: built, receipt } = build(long(60), most)
      expect(built).toContain(`\nHistory: ${historyLine(receipt)}\n`)
    }
  })
})

/** What each strategy makes of 40 messages and a huge tool result: its receipt, and what its text has and lacks. */
const TELLS: Record<string, { budget: number; receipt: object; has: RegExp; lacks: RegExp }> = {
  'full-history': {
    budget: 100_000,
    receipt: { whole: 40, shortened: 0, leftOut: 0, toolResultsWhole: 1 },
    has: /Message 0\.[\s\S]*( line of it\n){5000}[\s\S]*Message 39\./,
    lacks: /lines? omitted|Prior Conversation Summary/,
  },
  'pruned-tools': {
    budget: 8000,
    receipt: { whole: 40, leftOut: 0, toolResultsPruned: 1 },
    has: /Message 0\.[\s\S]*( line of it\n){10}[\s\S]*Message 39\./,
    lacks: /( line of it\n){5000}/,
  },
  talk: {
    budget: 5300,
    receipt: { whole: 40, leftOut: 0, toolCallsInALine: 1 },
    has: /Message 0\.[\s\S]*a\.ts[\s\S]*Message 39\./,
    lacks: /line of it/,
  },
  'recent-plus-summary': {
    budget: 2000,
    receipt: { leftOut: 0 },
    has: /## Prior Conversation Summary\n\n[\s\S]*## Recent Messages Follow\n\n[\s\S]*Message 39\./,
    lacks: /line of it/,
  },
  'minimal-state': {
    budget: 1000,
    receipt: { whole: 1, toolResultsWhole: 0, toolResultsPruned: 0 },
    has: /ORIGINAL TASK: Message 0\.[\s\S]*ALSO SAID:[\s\S]*### User\n Message 38\./,
    lacks: /line of it|### Assistant/,
  },
}

test.each(STRATEGY_NAMES)(
  'S4-P3-22: %s shows what its name says, and every strategy has such a test',
  (strategy) => {
    expect(Object.keys(TELLS).sort()).toEqual([...STRATEGY_NAMES].sort())
    const { budget, receipt, has, lacks } = TELLS[strategy]!
    const messages = long(40)
    messages[1] = {
      ...messages[1]!,
      tool_calls: [{ id: 't', name: 'Read', arguments: { file_path: 'a.ts' } }],
    }
    const content = 'line of it\n'.repeat(5000)
    messages.splice(2, 0, said('r', { role: 'tool', content, tool_call_id: 't', tool_name: 'Read' }))
    const built = build(messages, budget, { strategy })
    expect(built.receipt).toMatchObject({ strategy, ...receipt })
    expect(built.text).toMatch(has)
    expect(built.text).not.toMatch(lacks)
  },
)
