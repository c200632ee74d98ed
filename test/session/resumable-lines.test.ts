import { expect, test } from 'vitest'
import { resumableLines } from '../../src/session/resumable-lines.ts'

const now = new Date('2026-11-21T13:45:00Z')

test('S1-003s, S1-003a, S1-003b, S1-003t, S0-D4c, X-34, E-6: the list, in its words', () => {
  const lines = resumableLines(
    [
      {
        type: 'brainstorm',
        title: 'API Design Discussion',
        lastActive: new Date('2026-11-21T11:45:00Z'),
        status: { status: 'paused', auto: false },
        summary: 'Exploring REST vs GraphQL',
      },
      {
        type: 'debug',
        title: 'Login\u001b[31m\nbug',
        lastActive: new Date('2026-11-20T11:45:00Z'),
        status: { status: 'paused', auto: true },
        summary: '',
      },
    ],
    now,
  )
  expect(lines.join('\n')).toBe(`Here are your resumable conversations:

1. [brainstorm] API Design Discussion
   Last active: 2 hours ago | Status: paused
   Summary: Exploring REST vs GraphQL

2. [debug] Login bug
   Last active: yesterday | Status: paused (auto)
   Summary: (none)

Which conversation would you like to continue? (number or search)`)
})

test('S1-003q, S1-003r: none says so, and how to start one', () => {
  expect(resumableLines([], now).join('\n')).toMatch(
    /No resumable conversations exist\.\nStart a new one with \/workspace\./,
  )
})

test('S1-003s: however long titles and summaries are, a list fits into what a hook can tell', () => {
  const long = {
    type: 'brainstorm',
    title: 'title '.repeat(90),
    summary: 'summary '.repeat(200),
    lastActive: new Date(0),
    status: { status: 'paused' as const, auto: true },
  }
  const lines = resumableLines(
    Array.from({ length: 5000 }, () => long),
    new Date(),
  )
  expect(lines.join('\n').length).toBeLessThan(9_800)
  expect(lines).toContain('… and 4980 more: answer with a word of the title')
})
