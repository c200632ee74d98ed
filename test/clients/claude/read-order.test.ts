import { describe, expect, it } from 'vitest'
import { claude } from '../../../src/clients/claude/index.ts'
import { accounted, answer, bytesOf, read, script, text, user } from './transcript.ts'

/** As 2.1.197 wrote a forked session on a busy machine: the first answer stands before its prompt. */
const SHUFFLED = [
  answer('a1', 'u1', 'm1', text('one'), { stop_reason: 'end_turn' }),
  user('u1', null, 'first'),
  user('u2', 'a1', 'second'),
  answer('a2', 'u2', 'm2', text('two'), { stop_reason: 'end_turn' }),
]

describe('a record that stands before its parent', () => {
  it('S1-001j: is read behind it, with a number that keeps it there', () => {
    const { messages, report } = read(SHUFFLED)
    expect(messages.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      'user: first',
      'assistant: one',
      'user: second',
      'assistant: two',
    ])
    expect(script(read(SHUFFLED))).not.toContain('rewound: ')
    const numbers = messages.map(({ seq }) => seq!)
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
    expect(accounted(report)).toBe(bytesOf(SHUFFLED).length)
  })

  it('does not make an answered prompt look like the running one', () => {
    const bytes = bytesOf(SHUFFLED.slice(0, 2))
    expect(claude.turnStart(bytes)).toBe(bytes.length)
  })
})
