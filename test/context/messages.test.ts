import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type BuiltMessages, buildMessages, TOKENS_PER_IMAGE } from '../../src/context/messages.ts'
import { STRATEGY_NAMES } from '../../src/context/strategies/index.ts'
import { o200k } from '../../src/context/tokens/index.ts'
import { livePath } from '../../src/session/live-path.ts'
import type { Message } from '../../src/session/schema.ts'
import { runs } from '../helpers/long.ts'
import { said } from '../session/conversations.ts'
import { budget, conversation } from './building.ts'
import { TOOLS } from './tools.ts'

const tokenizer = await o200k()
const build = (messages: readonly Message[], budget: number, strategy?: string) =>
  buildMessages({
    messages,
    budget,
    tokenizer,
    record: 'messages.jsonl',
    project: 'work',
    tools: TOOLS,
    strategy,
  })

// promise: What a resume gives never exceeds its budget of tokens, and says what it left out and where
// promise: never more tokens than the budget, no tool result without its call
test('S4-P2-5, S4-P2-9, S4-P3-23, laws: with every strategy, messages keep the budget and their order, and no call is without its result, nor a result without its call', {
  timeout: 600_000,
}, () => {
  fc.assert(
    fc.property(conversation, budget, (messages, most) => {
      const live = livePath(messages)
      for (const strategy of STRATEGY_NAMES) {
        const built = build(messages, most, strategy)
        countedTruly(built, most)
        everyCallAnswered(built)
        inOrder(built, live)
        expect(built.originalMessageCount).toBe(live.length)
        expect(built.includedMessageCount + built.summarizedMessageCount).toBeLessThanOrEqual(
          Math.max(live.length, 1),
        )
        for (const { content } of built.messages)
          expect(JSON.stringify(content)).not.toMatch(/\p{Surrogate}|\\ud[89a-f]/u)
      }
    }),
    runs(150, 2000),
  )
})

function countedTruly(built: BuiltMessages, most: number): void {
  const counted = built.messages.reduce(
    (sum, one) => sum + tokensOf(one.content) + tokenizer.count(JSON.stringify(one.tool_calls) ?? '') + 4,
    0,
  )
  expect(counted).toBeLessThanOrEqual(most)
  expect(built).toMatchObject({
    tokensUsed: counted,
    tokenBudget: most,
    strategy: built.receipt.strategy,
  })
}

function tokensOf(content: string | readonly { type: string; text?: unknown }[]): number {
  if (typeof content === 'string') return tokenizer.count(content)
  const of = (part: { type: string; text?: unknown }) =>
    part.type === 'image' ? TOKENS_PER_IMAGE : tokenizer.count(String(part.text ?? JSON.stringify(part)))
  return content.reduce((sum, part) => sum + of(part), 0)
}

function everyCallAnswered({ messages }: BuiltMessages): void {
  const open = new Set<string>()
  for (const { role, tool_calls: calls, tool_call_id: id } of messages) {
    if (role === 'tool') expect(open.delete(id ?? '')).toBe(true)
    for (const call of calls ?? []) open.add(call.id)
  }
  expect([...open]).toEqual([])
}

/** Those that begin with their id stand in the order of the conversation. */
function inOrder({ messages }: BuiltMessages, live: readonly Message[]): void {
  const places = messages.flatMap(({ role, content }) => {
    const id = role === 'system' ? undefined : /^([abc]\d+): /.exec(String(content))?.[1]
    return id === undefined ? [] : [live.findIndex((one) => one.id === id)]
  })
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places).not.toContain(-1)
}

test('S4-P3-12, S4-P3-17: the messages that a loop gets, by strategy', () => {
  const long = Array.from({ length: 60 }, (_, n) =>
    said(`m${n}`, {
      role: n % 2 === 0 ? 'user' : 'assistant',
      content: `Message ${n}. ${'word '.repeat(60)}`,
    }),
  )
  expect(build(long, 20_000).messages).toEqual(long.map(({ role, content }) => ({ role, content })))
  const recent = build(long, 2000)
  expect(recent.strategy).toBe('recent-plus-summary')
  expect(recent.messages[0]).toMatchObject({
    role: 'system',
    content: expect.stringMatching(
      /^## Prior Conversation Summary\n\n[\s\S]+\n\n---\n\n## Recent Messages Follow$/,
    ),
  })
  expect(recent.messages.at(-1)).toEqual({ role: 'assistant', content: long.at(-1)!.content })
  const state = build(long, 1000)
  expect(state).toMatchObject({
    strategy: 'minimal-state',
    includedMessageCount: 1,
    summarizedMessageCount: 59,
  })
  expect(state.messages.map(({ role }) => role)).toEqual(['system', 'user'])
})

test('S4-P3-17: the state represents all messages but one, tool results included', () => {
  const call = { id: 'c', name: 'f', arguments: {} }
  const messages = [
    said('u'),
    said('a', { role: 'assistant', tool_calls: [call] }),
    said('r', { role: 'tool', content: 'found', tool_call_id: 'c', tool_name: 'f' }),
    said('v'),
  ]
  expect(build(messages, 1000, 'minimal-state')).toMatchObject({
    originalMessageCount: 4,
    includedMessageCount: 1,
    summarizedMessageCount: 3,
    receipt: { messages: 3, whole: 1, summarised: 2 },
  })
})

test('S4-P3-23: a call and a result with another message between them become text', () => {
  const call = { id: 'c', name: 'f', arguments: { path: 'a.ts' } }
  const answer = said('r', { role: 'tool', content: 'found', tool_call_id: 'c', tool_name: 'f' })
  const asked = said('a', { role: 'assistant', content: 'Looking.', tool_calls: [call] })
  const { messages } = build([said('u'), asked, said('v', { content: 'Hurry' }), answer], 20_000)
  expect(messages.slice(1)).toEqual([
    { role: 'assistant', content: 'Looking.\n[f a.ts]' },
    { role: 'user', content: 'Hurry' },
    { role: 'user', content: '[tool result f]\n found' },
  ])
  expect(build([said('u'), asked, answer], 20_000).messages.slice(1)).toMatchObject([
    { role: 'assistant', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c' },
  ])
})

test('what the person said in the answer to a call comes after the results of all calls of that message', () => {
  const calls = ['c', 'd'].map((id) => ({ id, name: 'f', arguments: {} }))
  const answer = (id: string) =>
    said(`r${id}`, { role: 'tool', content: 'x', tool_call_id: id, tool_name: 'f' })
  const asked = said('a', { role: 'assistant', content: '', tool_calls: calls })
  const words = said('w', { content: 'not that one', tool_call_id: 'c' })
  const { messages } = build([said('u'), asked, answer('c'), words, answer('d'), said('v')], 20_000)
  expect(messages.map(({ role, tool_call_id: id }) => [role, id])).toEqual([
    ['user', undefined],
    ['assistant', undefined],
    ['tool', 'c'],
    ['tool', 'd'],
    ['user', undefined],
    ['user', undefined],
  ])
})

// promise: comes back as it was given, as long as its message is whole
// promise: any other part the tokens of its JSON.
// promise: Where a message is shortened, its words say `[image]`.
test('a loop’s parts stay parts, the bytes of an image do not count, and a shortened part says so', () => {
  const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${'QUJD'.repeat(50_000)}` } }
  const parts = [{ type: 'text', text: 'What is this?' }, image]
  const { messages, tokensUsed } = build([said('u', { content: parts })], 2000)
  expect(messages).toEqual([{ role: 'user', content: parts }])
  expect(tokensUsed).toBe(tokenizer.count('What is this?') + TOKENS_PER_IMAGE + 4)

  const small = build([said('u', { content: parts })], 500).messages.map(({ content }) => content)
  expect(small.join()).toContain('[image_url]')
  expect(small.join()).not.toContain('QUJD')
  const ofClient = said('u', {
    content: [{ type: 'image', sha256: 'ab', media_type: 'image/png' }],
    native_id: 'n',
  })
  expect(build([ofClient], 2000).messages[0]?.content).toBe('[image]')
  const texts = [
    { type: 'text', text: 'one' },
    { type: 'text', text: 'two' },
  ]
  expect(build([said('u', { content: texts })], 2000).messages[0]?.content).toBe('one\ntwo')
})
