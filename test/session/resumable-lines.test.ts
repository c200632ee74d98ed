import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { resumableLines } from '../../src/session/resumable-lines.ts'

const now = new Date('2026-11-21T13:45:00Z')

test('S1-003s, S1-003a, S1-003b, S1-003t, S0-D4c, X-34, E-6: the list, in its words', () => {
  const lines = resumableLines(
    [
      {
        name: '5',
        live: true,
        type: 'brainstorm',
        title: 'API Design Discussion',
        lastActive: new Date('2026-11-21T11:45:00Z'),
        status: { status: 'active', auto: false },
        summary: 'Exploring REST vs GraphQL',
      },
      {
        name: '11-20/3',
        live: false,
        type: 'debug',
        title: 'Login\u001b[31m\nbug',
        lastActive: new Date('2026-11-20T11:45:00Z'),
        status: { status: 'paused', auto: true },
        summary: '',
      },
    ],
    now,
    new Map([
      ['quiet for 30 days', 5],
      ['archived', 1],
    ]),
  )
  expect(lines.join('\n')).toBe(`Here are your resumable conversations:

The last active one comes first.

5. [brainstorm] API Design Discussion

Last active: 2 hours ago | Status: active, open now
Summary: Exploring REST vs GraphQL

11-20/3. [debug] Login bug

Last active: yesterday | Status: paused (auto)
Summary: (none)

6 not shown: 5 quiet for 30 days, 1 archived. All of them: cortext list --all. A word of a title finds one too.

Which conversation would you like to continue? (number or search)`)
})

test('S1-003q, S1-003r: an empty list says so, and how to start a conversation', () => {
  expect(resumableLines([], now).join('\n')).toMatch(
    /No resumable conversations exist\.\nStart a new one with \/workspace\./,
  )
})

test('an empty list names the shipped types', () => {
  const path = new URL('../../templates/registry.json', import.meta.url)
  const { types } = JSON.parse(readFileSync(path, 'utf8'))
  const [, first, others] = /workspace\.(\w+) <topic> \(or (.*)\)/.exec(resumableLines([], now).join(''))!
  expect([first, ...others!.split(', ')].sort()).toEqual(Object.keys(types).sort())
})

test('S1-003s: however long titles and summaries are, a list fits into the output of a hook', () => {
  const long = {
    name: '11-21/1-plan',
    live: false,
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
  expect(lines.at(-3)).toMatch(/^4980 not shown: 4980 less recent\. All of them: cortext list --all\. A word/)
})
