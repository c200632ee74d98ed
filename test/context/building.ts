import fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect } from 'vitest'
import { type BuiltContext, buildContext } from '../../src/context/build.ts'
import { o200k, type Tokenizer } from '../../src/context/tokens/index.ts'
import { isTalk } from '../../src/session/live-path.ts'
import { resumeBlock } from '../../src/session/resume-block.ts'
import type { Message } from '../../src/session/schema.ts'
import { nativeSessions, said, session } from '../session/conversations.ts'
import { TOOLS } from './tools.ts'

export const tokenizer = await o200k()
export const record = 'conversations/2026-11-21/001-brainstorm-api-design/.session/messages.jsonl'
const now = new Date('2026-11-21T13:45:00Z')

/** A context as a resume builds it. */
export function build(
  messages: readonly Message[],
  budget: number,
  {
    title = 'API',
    summary = '',
    strategy,
    tokenizer: other = tokenizer,
  }: { title?: string; summary?: string; strategy?: string | undefined; tokenizer?: Tokenizer } = {},
): BuiltContext {
  const block = (history: string) =>
    resumeBlock(session({ title, context_summary: summary }), { now, history })
  return buildContext({
    messages,
    budget,
    tokenizer: other,
    record,
    block,
    project: 'work',
    tools: TOOLS,
    strategy,
  })
}

/** Tokens by o200k itself, whatever the code under test says. */
export function exact(whole: string): number {
  return countTokens(whole, { disallowedSpecial: new Set<string>() })
}

/** Tokens ≤ budget, and the receipt has their true number. */
export function withinBudget({ text, receipt }: BuiltContext, most: number): void {
  const tokens = exact(text)
  expect(tokens, 'tokens ≤ budget').toBeLessThanOrEqual(most)
  expect(receipt.budget).toBe(most)
  expect(receipt.tokens, 'the receipt never has less than there is').toBeGreaterThanOrEqual(tokens)
  if (receipt.tokens > tokens) {
    // Only what has no break for so long is counted in pieces, a few tokens too high for each.
    expect(text, 'the receipt has the true number').toMatch(LONG_RUN)
    expect(receipt.tokens - tokens).toBeLessThanOrEqual(8 * Math.floor(text.length / 1024))
  }
  if (most === 0) expect(text).toBe('')
}

const LONG_RUN = /[\p{L}\p{M}]{512}|\s{512}|[^\s\p{L}\p{N}]{512}/u

/** Every message of a person or an agent begins with its id, so that it can be told apart from all others. */
export const conversation: fc.Arbitrary<Message[]> = nativeSessions.map((sessions) =>
  sessions.flat().map((one) => (isTalk(one) ? { ...one, content: `${one.id}: ${one.content}` } : one)),
)

/** From nothing to a million, closer together where other strategies begin to fit. */
export const budget: fc.Arbitrary<number> = fc.oneof(
  fc.nat(420),
  fc.integer({ min: 400, max: 4000 }),
  fc.constantFrom(0, 1, 399, 400, 401, 1499, 1500, 2000, 20_000, 60_000, 200_000, 1_000_000),
)

/** So many messages of some 100 tokens each, by turns of the person and the agent. */
export function long(count: number): Message[] {
  return Array.from({ length: count }, (_, n) =>
    said(`m${n}`, {
      role: n % 2 === 0 ? 'user' : 'assistant',
      content: `Message ${n}. ${'Some more words about it. '.repeat(20)}`,
    }),
  )
}
