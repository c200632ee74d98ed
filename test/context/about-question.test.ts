import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildContext } from '../../src/context/build.ts'
import { relevanceOf } from '../../src/search/relevance.ts'
import { resumeBlock } from '../../src/session/resume-block.ts'
import type { Message } from '../../src/session/schema.ts'
import { said, session } from '../session/conversations.ts'
import { record, tokenizer, withinBudget } from './building.ts'
import { TOOLS } from './tools.ts'

const NOW = new Date('2026-11-21T13:45:00Z')

function about(question: string | undefined, messages: readonly Message[], budget: number) {
  return buildContext({
    ...{ messages, budget, tokenizer, record, project: 'p', tools: TOOLS },
    about: question === undefined ? undefined : { question, relevance: relevanceOf },
    block: (history) => resumeBlock(session({ context_summary: '' }), { now: NOW, history }),
  })
}

/** A long talk about nothing, in which one thing was said early. */
function talkAround(asked: string, answered: string): Message[] {
  const turn = (n: number): Message[] => [
    said(`u${n}`, { content: `Please look at part ${n} of the list. ${'It is a plain part. '.repeat(12)}` }),
    said(`a${n}`, {
      role: 'assistant',
      content: `Part ${n} is done. ${'Nothing was odd there. '.repeat(12)}`,
    }),
  ]
  const early = Array.from({ length: 10 }, (_, n) => turn(n)).flat()
  const late = Array.from({ length: 60 }, (_, n) => turn(n + 10)).flat()
  const about = [said('q', { content: asked }), said('r', { role: 'assistant', content: answered })]
  return [...early, ...about, ...late]
}

describe('a context about a question', () => {
  const messages = talkAround('How shall invoices be rounded?', 'Half to even, since the bank does so.')

  test('shows what answers it and the turns around, the task and the newest turn; without the question these are lost', () => {
    const { text, receipt } = about('rounding of the invoice', messages, 2000)
    expect(receipt.strategy).toBe('about-question')
    for (const one of [
      'How shall invoices be rounded?',
      'Half to even',
      'Part 9 is done.',
      'Part 69 is done.',
    ])
      expect(text).toContain(one)
    expect(text).toContain(
      '## What was said about a question\n\nQuestion: rounding of the invoice\nTask: Please look at part 0',
    )
    expect(text).toMatch(/^\[… \d+ messages left out; \[…\] marks a gap …\]$/m)
    expect(receipt.tokens).toBeGreaterThanOrEqual(0.95 * 2000)
    const [before] = /^ Part 9 is done\. .{40}/m.exec(text) ?? ['not there']
    expect(text).toContain(before)
    expect(about(undefined, messages, 2000).text).not.toContain(before)
  })

  test('is the full history if that fits, and the usual context if nothing was said about the question', () => {
    expect(about('rounding', messages, 100_000).receipt.strategy).toBe('full-history')
    expect(about('zebras', messages, 2000).text).toBe(about(undefined, messages, 2000).text)
    expect(about('', messages, 2000).text).toBe(about(undefined, messages, 2000).text)
  })

  test('finds answers in any language', () => {
    const german = talkAround('Wie runden wir Beträge in Zürich?', 'Auf fünf Rappen.')
    expect(about('runden Zurich', german, 2000).text).toContain('Auf fünf Rappen.')
    const japanese = talkAround('請求書の端数はどうしますか。', '四捨五入にします。')
    expect(about('端数の処理', japanese, 2000).text).toContain('四捨五入にします。')
  })

  test('law: it never has more tokens than the budget, whatever the question is', () => {
    const word = fc.constantFrom('invoices', 'rounded', 'part', 'bank', '"plain part"', '###', '😀', '')
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), fc.integer({ min: 0, max: 9000 }), (words, most) => {
        withinBudget(about(words.join(' '), messages, most), most)
      }),
      { numRuns: 60 },
    )
  })
})
