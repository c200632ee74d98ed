import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BuiltContext } from '../../src/context/build.ts'
import { historyLine } from '../../src/context/receipt.ts'
import { answersIn } from '../../src/context/rendering/answers.ts'
import { asTalk } from '../../src/context/rendering/as-talk.ts'
import { renderWhole } from '../../src/context/rendering/render.ts'
import { STRATEGY_NAMES } from '../../src/context/strategies/index.ts'
import { isTalk, livePath, textOf } from '../../src/session/live-path.ts'
import { neutralise } from '../../src/session/resume-block.ts'
import type { Message } from '../../src/session/schema.ts'
import { indent } from '../../src/text/indent.ts'
import { oneLine } from '../../src/text/line.ts'
import { wellFormed } from '../../src/text/whole-characters.ts'
import { runs } from '../helpers/long.ts'
import { said, text } from '../session/conversations.ts'
import { budget, build, conversation, withinBudget } from './building.ts'
import { TOOLS } from './tools.ts'

test('S4-P2-5, S4-P2-9, S4-P2-12, S4-P3-23, S4-DP2, E-23, laws: every strategy keeps its promises in thousands of conversations', {
  timeout: 600_000,
}, () => {
  fc.assert(
    fc.property(conversation, budget, text, text, (messages, most, title, summary) => {
      const known = about(messages)
      const all = build(messages, 1_000_000, { title, summary })
      expect(all.receipt.strategy).toBe('full-history')
      for (const strategy of STRATEGY_NAMES) {
        const built = build(messages, most, { title, summary, strategy })
        withinBudget(built, most)
        receiptIsTrue(built, known)
        numbersAddUp(built)
        firstTaskAndNewestTurn(built, most, known)
        noResultWithoutItsCall(built, known)
        expect(built.text, 'no half of a character').not.toMatch(/\p{Surrogate}/u)
        expect(build(messages, most, { title, summary, strategy }), 'deterministic').toEqual(built)
        expect(built.receipt.whole).toBeLessThanOrEqual(all.receipt.whole)
        // Only who asks for a state is given one that may say more than a few words did.
        if (strategy === STRATEGY_NAMES[0]) notLonger(built, all, messages)
      }
    }),
    runs(150, 2000),
  )
})

test('a context that leaves something out uses at least 95 % of the budget', { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(longTalk, fc.integer({ min: 2000, max: 12_000 }), (messages, most) => {
      const { receipt } = build(messages, most)
      const isAll = receipt.strategy === 'full-history'
      if (!isAll) expect(receipt.tokens, receipt.strategy).toBeGreaterThanOrEqual(0.95 * most)
    }),
    runs(30, 600),
  )
})

const words = (most: number) =>
  fc
    .array(
      fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'the', 'request', 'is', 'token', 'new\n', 'file'),
      {
        minLength: 1,
        maxLength: most,
      },
    )
    .map((all) => all.join(' '))

/** Turns of a person and an agent who calls tools, with texts and results of any length. */
const longTalk = fc
  .array(fc.tuple(words(120), words(300), fc.array(words(2500), { maxLength: 3 })), {
    minLength: 12,
    maxLength: 60,
  })
  .map((turns) =>
    turns.flatMap(([asked, answer, results], n) => {
      const calls = results.map((_, m) => ({
        id: `t${n}-${m}`,
        name: 'Bash',
        arguments: { command: `run ${n} ${m}` },
      }))
      return [
        said(`u${n}`, { content: asked }),
        ...(calls.length > 0 ? [said(`c${n}`, { role: 'assistant', content: '', tool_calls: calls })] : []),
        ...results.map((content, m) =>
          said(`r${n}-${m}`, { role: 'tool', content, tool_call_id: `t${n}-${m}` }),
        ),
        said(`a${n}`, { role: 'assistant', content: answer }),
      ]
    }),
  )

/** What the laws need to know of a conversation, found without what they are about. */
interface Known {
  live: Message[]
  talk: Message[]
  /** Of each of `talk` the forms that it may have. */
  forms: string[][]
  orphans: number
}

function about(messages: readonly Message[]): Known {
  const live = livePath(messages)
  const talk = live.filter(isTalk)
  const answers = answersIn(live, TOOLS)
  const forms = talk.map((message) => [
    renderWhole(message, answers),
    renderWhole(asTalk(message, answers), answers),
  ])
  const orphans = live.filter(
    ({ role, tool_call_id: id }) => role === 'tool' && !answers.calls.has(id ?? ''),
  ).length
  return { live, talk, forms, orphans }
}

/** Every message is whole, shortened, summarised or left out, and what is whole is there, in order. */
function receiptIsTrue({ text: built, receipt }: BuiltContext, { live, talk, forms }: Known): void {
  const { whole, shortened, summarised, leftOut } = receipt
  expect(receipt.messages).toBe(talk.length)
  expect(receipt.fromUser).toBe(talk.filter(({ role }) => role === 'user').length)
  expect(whole + shortened + summarised + leftOut).toBe(talk.length)
  expect(Math.min(whole, shortened, summarised, leftOut)).toBeGreaterThanOrEqual(0)
  expect(inOrder(built, forms), 'what is whole is there').toBeGreaterThanOrEqual(whole)
  if (receipt.strategy === 'full-history')
    for (const message of live) expect(built).toContain(neutralise(indent(textOf(message))))
  else expect(inOrder(built, forms), 'nothing else is there').toBeLessThanOrEqual(whole + summarised)
}

/** What the text says of how much is not there is what the receipt says. */
function numbersAddUp({ text: built, receipt }: BuiltContext): void {
  if (built.includes('[END RESUMED CONTEXT]') && !built.includes('[… cut …]'))
    expect(built).toContain(`\nHistory: ${historyLine(receipt)}\n`)
  const gaps = [...built.matchAll(/^\[… (\d+) messages? left out; \[…\] marks a gap …\]$/gm)].map(
    ([, count]) => Number(count),
  )
  const sum = gaps.reduce((all, count) => all + count, 0)
  expect(sum).toBe(receipt.strategy === 'recent-plus-summary' ? receipt.leftOut : 0)
}

/** From 400 tokens on, whole or cut. */
function firstTaskAndNewestTurn({ text: built, receipt }: BuiltContext, most: number, { talk }: Known): void {
  if (most < 400) return
  expect(built.startsWith('[RESUMED CONVERSATION]')).toBe(true)
  expect(built).toContain('[END RESUMED CONTEXT]')
  if (receipt.strategy === 'newest-turn') return
  const asked = talk.filter(({ role }) => role === 'user')
  const line = oneLine(built)
  for (const message of [asked[0], asked.at(-1), talk.at(-1)])
    if (message !== undefined) expect(line).toContain(beginOf(message))
}

function beginOf(message: Message): string {
  return neutralise(wellFormed(oneLine(textOf(message)))).slice(0, 4)
}

function noResultWithoutItsCall({ text: built }: BuiltContext, { orphans }: Known): void {
  const results = built.match(/^\[tool result /gm)?.length ?? 0
  const calls = built.match(/^\[tool call .*(?<! → no result)$/gm)?.length ?? 0
  expect(results, 'no result without its call').toBeLessThanOrEqual(calls + orphans)
}

/** Than what was said and its frame. */
function notLonger(some: BuiltContext, all: BuiltContext, messages: readonly Message[]): void {
  const frame = 1000 + 40 * messages.length
  expect(some.text.length, 'never longer than all of it').toBeLessThanOrEqual(all.text.length + frame)
}

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
