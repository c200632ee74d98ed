import { expect, test } from 'vitest'
import { resumableLines } from '../../src/session/resumable-lines.ts'

function names(day: string, id: string) {
  return { id, datedId: `${day}/${id}`, title: '', summary: '', tags: [] }
}

const now = new Date('2026-11-21T13:45:00Z')

test('S1-003s, S1-003a, S1-003b, S1-003t, S0-D4c, X-34, E-6: the list, in its words', () => {
  const lines = resumableLines(
    [
      {
        ...names('2026-11-21', '005-brainstorm-api-design'),
        type: 'brainstorm',
        title: 'API Design Discussion',
        lastActive: new Date('2026-11-21T11:45:00Z'),
        status: { status: 'paused', auto: false },
        summary: 'Exploring REST vs GraphQL',
      },
      {
        ...names('2026-11-20', '003-debug-login'),
        type: 'debug',
        title: 'Login\u001b[31m\nbug',
        lastActive: new Date('2026-11-20T11:45:00Z'),
        status: { status: 'paused', auto: true },
        summary: '',
      },
    ],
    [
      ...['2026-11-21/005-brainstorm-api-design', '2026-11-20/003-debug-login', '2026-11-19/003-plan-a'].map(
        (path) => names(...(path.split('/') as [string, string])),
      ),
    ],
    now,
  )
  expect(lines.join('\n')).toBe(`Here are your resumable conversations:

5. [brainstorm] API Design Discussion

Last active: 2 hours ago | Status: paused
Summary: Exploring REST vs GraphQL

11-20/3. [debug] Login bug

Last active: yesterday | Status: paused (auto)
Summary: (none)

Which conversation would you like to continue? (number or search)`)
})

test('S1-003q, S1-003r: an empty list says so, and how to start a conversation', () => {
  expect(resumableLines([], [], now).join('\n')).toMatch(
    /No resumable conversations exist\.\nStart a new one with \/workspace\./,
  )
})

test('S1-003s: however long titles and summaries are, a list fits into the output of a hook', () => {
  const long = {
    ...names('2026-11-21', '001-plan-a'),
    type: 'brainstorm',
    title: 'title '.repeat(90),
    summary: 'summary '.repeat(200),
    lastActive: new Date(0),
    status: { status: 'paused' as const, auto: true },
  }
  const lines = resumableLines(
    Array.from({ length: 5000 }, () => long),
    [],
    new Date(),
  )
  expect(lines.join('\n').length).toBeLessThan(9_800)
  expect(lines).toContain('… and 4980 more: answer with a number, or with a word of the title')
})
