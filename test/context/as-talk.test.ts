import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answersIn } from '../../src/context/rendering/answers.ts'
import { asTalk, underOneHead } from '../../src/context/rendering/as-talk.ts'
import { renderWhole } from '../../src/context/rendering/render.ts'
import { isTalk } from '../../src/session/live-path.ts'
import type { Message } from '../../src/session/schema.ts'
import { runs } from '../helpers/long.ts'
import { said } from '../session/conversations.ts'
import { build, exact } from './building.ts'
import { TOOLS } from './tools.ts'

let ids = 0
/** A call of the agent with these words before it, and what the tool answered. */
function did(content: string, name: string, args: object, output = 'ok'): Message[] {
  const id = `c${ids++}`
  return [
    said(`${id}a`, { role: 'assistant', content, tool_calls: [{ id, name, arguments: args }] }),
    said(`${id}r`, { role: 'tool', content: output, tool_call_id: id, tool_name: name }),
  ]
}
const user = (content: string) => said(`u${ids++}`, { content })
const agent = (content: string) => said(`a${ids++}`, { role: 'assistant', content })
const edit = (content = '') => did(content, 'Edit', { file_path: 'e2e_test/x_test.go' })
const tests = () => did('', 'Bash', { command: 'mise run test' })

/** The talk of these messages, told in lines. */
function told(...messages: (Message | Message[])[]): string {
  const live = messages.flat()
  const answers = answersIn(live, TOOLS)
  const pieces = live.filter(isTalk).map((message) => ({ message: asTalk(message, answers) }))
  return underOneHead(pieces)
    .map((piece) => ('note' in piece ? piece.note : renderWhole(piece.message, answers)))
    .join('\n\n')
}

test('a call of one session has not the result of another session’s call with its id', () => {
  const of = (native_session: string, content: string, more: Partial<Message> = {}): Message[] => [
    {
      ...said(`${native_session}a`, { role: 'assistant', content: '', native_session }),
      tool_calls: [{ id: 'call_1', name: 'Bash', arguments: { command: 'npm test' } }],
    },
    said(`${native_session}r`, { role: 'tool', content, tool_call_id: 'call_1', native_session, ...more }),
  ]
  const shown = told(user('Go'), of('one', 'fine'), user('Again'), of('two', 'broken', { is_error: true }))
  expect(shown.match(/\$ npm test → \S+/g)).toEqual(['$ npm test → ok]', '$ npm test → failed:'])
})

test('an attachment of a message that is joined with others is named once', () => {
  const attachments = [{ media_type: 'image/png', sha256: 'a'.repeat(64), bytes: 9, name: 'x.png' }]
  const shown = told(user('Go'), { ...agent('Look.'), attachments }, edit())
  expect(shown.match(/x\.png/g)).toHaveLength(1)
})

test('tool calls of neighbouring messages are in one line below one head', () => {
  const six = Array.from({ length: 6 }, () => edit())
  expect(told(user('Go'), ...six, tests(), agent('Done.'))).toBe(
    '### User\n Go\n\n### Assistant\n[Edit e2e_test/x_test.go ×6; $ mise run test → ok]\n Done.',
  )
  expect(told(user('Go'), edit('I edit.'), edit(), tests(), agent('Done.'), edit(), user('Thanks'))).toBe(
    [
      '### User\n Go',
      '### Assistant\n I edit.\n[Edit e2e_test/x_test.go ×2; $ mise run test → ok]',
      '### Assistant\n Done.\n[Edit e2e_test/x_test.go]',
      '### User\n Thanks',
    ].join('\n\n'),
  )
})

test('tool calls are not joined across turns, notes, cut messages, whole calls or images', () => {
  const turns = told(user('Go'), edit(), user('Go on'), edit())
  expect(turns.match(/^### Assistant\n\[Edit e2e_test\/x_test\.go\]/gm)).toHaveLength(2)
  const [call, result] = edit() as [Message, Message]
  const message = asTalk(call, answersIn([call, result], TOOLS))
  const image = said('i', { role: 'assistant', content: [{ type: 'image', media_type: 'image/png' }] })
  for (const between of [
    { note: '[…]' },
    { message: agent('Cut.'), cut: true as const },
    { message: call },
    { message: image },
  ])
    expect(underOneHead([{ message }, between, { message }])).toEqual([{ message }, between, { message }])
})

const words = fc.constantFrom('', '', '', 'I look.', 'Mended.\nNow the rest.')
const output = fc.integer({ min: 1, max: 60 }).map((times) => 'some words of an output\n'.repeat(times))
const step = fc.oneof(
  { weight: 1, arbitrary: fc.constant(undefined) },
  { weight: 6, arbitrary: fc.tuple(words, fc.constantFrom('a.ts', 'b.ts', 'c/long/path.ts'), output) },
)
/** Turns in which most messages of the agent are calls without a word. */
const busy = fc.array(step, { minLength: 30, maxLength: 150 }).map((steps) => [
  user('Begin.'),
  ...steps.flatMap((one, n) => {
    if (one === undefined) return [agent(`Answer ${n}.`), user(`Question ${n}?`)]
    const [text, file, result] = one
    return did(text, 'Edit', { file_path: file, new_string: `${n}` }, result)
  }),
])

test('law: a context of talk fits, uses its room, has every text, and no head without a text', {
  timeout: 180_000,
}, () => {
  fc.assert(
    fc.property(busy, fc.integer({ min: 2000, max: 8000 }), (messages, most) => {
      for (const strategy of ['talk', 'recent-plus-summary']) {
        const { text, receipt } = build(messages, most, { strategy })
        expect(exact(text)).toBeLessThanOrEqual(most)
        expect(receipt.tokens).toBe(exact(text))
        expect(receipt.whole + receipt.shortened + receipt.summarised + receipt.leftOut).toBe(
          receipt.messages,
        )
        expect(text).not.toMatch(/^### Assistant\n+(?:###|$)/m)
        if (receipt.toolCallsInALine > 0 && receipt.strategy !== 'minimal-state')
          expect(receipt.tokens, receipt.strategy).toBeGreaterThanOrEqual(0.95 * most)
        if (receipt.strategy !== 'talk') continue
        const calls = messages.flatMap((message) => message.tool_calls ?? []).length
        expect(linesTold(text) + wholeCalls(text), 'every call is told').toBe(calls)
        for (const message of messages.filter(({ role }) => role === 'user'))
          expect(text).toContain(`### User\n ${message.content}`)
      }
    }),
    runs(40, 400),
  )
})

function linesTold(text: string): number {
  const items = [...text.matchAll(/^\[(Edit .*)\]$/gm)].flatMap(([, line]) => line!.split('; '))
  return items.reduce((sum, item) => sum + Number(/ ×(\d+)$/.exec(item)?.[1] ?? 1), 0)
}

function wholeCalls(text: string): number {
  return text.match(/^\[tool call Edit\]/gm)?.length ?? 0
}
