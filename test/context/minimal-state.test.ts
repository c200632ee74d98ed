import { expect, test } from 'vitest'
import type { Message } from '../../src/session/schema.ts'
import { said } from '../session/conversations.ts'
import { build } from './building.ts'

/** By turns, in German. */
function german(count: number): Message[] {
  return Array.from({ length: count }, (_, n) =>
    said(`m${n}`, {
      role: n % 2 === 0 ? 'user' : 'assistant',
      content:
        n % 2 === 0
          ? `Schau dir bitte Modul ${n} an.`
          : `Modul ${n} habe ich mir angesehen. ${'Es sieht soweit gut aus. '.repeat(6)}`,
    }),
  )
}

const state = (messages: readonly Message[], budget: number) =>
  build(messages, budget, { strategy: 'minimal-state' })

test('S4-P3-14 S0-R2a the room that the state leaves is filled with what else was said, the rarest words, in order, in any language', () => {
  const talk = german(120)
  talk[100] = said('m100', { content: 'Noch etwas: elasticsearch kommt nicht in frage. Danke!' })
  const { text, receipt } = state(talk, 700)
  expect(receipt.strategy).toBe('minimal-state')
  expect(text).toContain('\n- User: Noch etwas: elasticsearch kommt nicht in frage. Danke!\n')
  expect(receipt.tokens).toBeGreaterThan(630)
  const modules = [...text.matchAll(/^- User: Schau dir bitte Modul (\d+) an\.$/gm)].map(([, n]) => Number(n))
  const newest = Array.from({ length: 59 }, (_, n) => 2 * n).filter((n) => n !== 100)
  expect(modules.length).toBeGreaterThan(10)
  expect(modules).toEqual(newest.filter((n) => modules.includes(n)))
  expect(text.match(/Modul 118 an/g), 'what was asked last, once').toHaveLength(1)
})

test('S4-P3-16: the text of the state is exactly this', () => {
  const begun = [
    said('u', { content: 'Build the export' }),
    said('a', { role: 'assistant', content: 'We will use SQLite.' }),
    said('l', { content: 'Go on' }),
  ]
  expect(state(begun, 2000).text).toContain(`You are continuing a coding session.

PROJECT: work

ORIGINAL TASK: Build the export

FILES MODIFIED THIS SESSION:
- None yet

CURRENT STATUS: We will use SQLite.

KEY DECISIONS MADE:
- We will use SQLite.

Continue assisting with the user's request below.

### User
 Go on`)
  const edit = { id: 'e', name: 'Edit', arguments: { file_path: 'src/export.ts' } }
  const more = [
    said('w', { role: 'assistant', content: 'Writing.', tool_calls: [edit] }),
    said('r', { role: 'tool', content: 'done', tool_call_id: 'e', tool_name: 'Edit' }),
    said('b', {
      role: 'assistant',
      content: 'Building.',
      tool_calls: [{ id: 'b', name: 'Bash', arguments: { command: 'npm run build' } }],
    }),
    said('q', { role: 'tool', content: 'error: a type is missing', tool_call_id: 'b', is_error: true }),
    said('m', { content: 'Mend it' }),
  ]
  const { text } = state([...begun, ...more], 2000)
  expect(text).toContain('FILES MODIFIED THIS SESSION:\n- src/export.ts (modified)\n')
  expect(text).toContain('CURRENT BLOCKERS:\n- Bash npm run build: error: a type is missing\n')
})

test('S4-P3-17 the receipt and the block count only messages that the state quotes, and name what is left out', () => {
  const { text, receipt } = state(german(120), 700)
  const lines = text.match(/^- (?:User: Schau dir bitte|Assistant:) /gm)!.length
  // The task and the last answer besides.
  expect(receipt).toMatchObject({ messages: 120, whole: 1, summarised: lines + 2, leftOut: 117 - lines })
  expect(receipt.leftOut).toBeGreaterThan(50)
  expect(text).toContain(
    `: 1 in full, ${lines + 2} summarised, ${117 - lines} left out; the whole record is in`,
  )
})

test('S4-P3-14 of a long message, sentences are quoted, each once, and a sentence without an end is cut', () => {
  const words = `Zum Hintergrund. ${'Das ist ein langer Satz mit vielen Wörtern. '.repeat(80)}`
  const wall = '漢字'.repeat(900)
  const talk = [...german(20), said('a', { content: words }), said('b', { content: wall }), ...german(2)]
  const { text } = state(talk, 2000)
  expect(text).toMatch(/^- User: Zum Hintergrund\. Das ist ein langer Satz mit vielen Wörtern\.$/m)
  expect(text).toMatch(/^- User: (?:漢字)+漢?…$/m)
})

test('S4-P3-15 S4-P3-17 words in a list of the state are not repeated below it, and count as summarised', () => {
  const talk = [
    said('u', { content: 'Build the export' }),
    said('a', { role: 'assistant', content: 'We will use SQLite. It is small.' }),
    said('c', { content: `It must run on Node 20. ${'Of the rest nothing is said. '.repeat(10)}` }),
    said('n', { role: 'assistant', content: 'Looked around.' }),
    said('d', { role: 'assistant', content: 'Done.' }),
    said('l', { content: 'Go on' }),
  ]
  const { text, receipt } = state(talk, 2000)
  expect(text.match(/It must run on Node 20/g)).toHaveLength(1)
  expect(text).toContain('CONSTRAINTS:\n- It must run on Node 20.\n')
  expect(text).toContain('\n- User: Of the rest nothing is said.\n')
  expect(text.match(/Build the export/g)).toHaveLength(1)
  expect(receipt).toMatchObject({ whole: 1, summarised: 5, leftOut: 0 })
})
