import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { statsLines } from '../../../src/cli/verbs/stats/bars.ts'
import { type Stats, statsOf } from '../../../src/extras/stats.ts'
import type { Listed } from '../../../src/journeys/finding/list.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { workspaceLab } from '../../helpers/workspace-lab.ts'

function listed(day: string, type: string, client: string, messages: number, tokens: number): Listed {
  return { lastActive: new Date(day), type, client, messages, tokens } as Listed
}

const THREE = [
  listed('2026-11-22T23:00:00Z', 'plan', 'claude', 10, 1000),
  listed('2026-11-23T01:00:00Z', 'plan', 'gemini', 30, 52_000),
  listed('2026-11-29T01:00:00Z', 'debug', 'claude', 5, 100),
]

test('conversations are counted by week from Monday to Sunday, by type and by client, the largest first', () => {
  expect(statsOf(THREE)).toEqual({
    total: { conversations: 3, messages: 45, tokens: 53_100 },
    weeks: {
      '2026-11-16': { conversations: 1, messages: 10, tokens: 1000 },
      '2026-11-23': { conversations: 2, messages: 35, tokens: 52_100 },
    },
    types: {
      plan: { conversations: 2, messages: 40, tokens: 53_000 },
      debug: { conversations: 1, messages: 5, tokens: 100 },
    },
    clients: {
      gemini: { conversations: 1, messages: 30, tokens: 52_000 },
      claude: { conversations: 2, messages: 15, tokens: 1100 },
    },
  })
})

test('an invalid date in a record is a week of its own', () => {
  expect(Object.keys(statsOf([listed('never', 'plan', 'claude', 1, 1)]).weeks)).toEqual(['unknown'])
})

const count = fc.oneof(fc.nat(20), fc.nat(), fc.constant(Number.MAX_SAFE_INTEGER))
const sum = fc.record({ conversations: count, messages: count, tokens: count })
const sums = fc.dictionary(fc.string({ unit: 'binary', maxLength: 40 }), sum, { maxKeys: 20 })
const anyStats: fc.Arbitrary<Stats> = fc.record({ total: sum, weeks: sums, types: sums, clients: sums })

describe.each([60, 80, 120])('in a terminal of %i columns', (width) => {
  test('the row with the most messages has the longest bar', () => {
    const lines = statsLines(statsOf(THREE), width)
    const bars = lines.filter((line) => /^2026/.test(line)).map((line) => line.split('█').length - 1)
    expect(bars[1]).toBeGreaterThan(2 * bars[0]!)
    expect(lines[0]).toBe('3 conversations, 45 messages, about 53k tokens')
  })

  test('law: no line is wider, and each character of a name takes one column', () => {
    fc.assert(
      fc.property(anyStats, (stats) => {
        for (const line of statsLines(stats, width)) {
          expect(line).toMatch(/^[ -~█▏▎▍▌▋▊▉]*$/)
          expect(line.length).toBeLessThanOrEqual(width)
        }
      }),
    )
  })
})

test('law: in a terminal of 40 columns no line is wider', () => {
  expect(statsLines(statsOf(THREE), 40).slice(0, 2)).toEqual([
    '3 conversations, 45 messages, about 53k',
    '  tokens',
  ])
  fc.assert(
    fc.property(anyStats, (stats) => {
      for (const line of statsLines(stats, 40)) expect(line.length).toBeLessThanOrEqual(40)
    }),
  )
})

// promise: counts conversations, messages and tokens by week, type and client, archived ones too
// promise: Tokens are an estimate
test('S0-M2 stats counts what list shows, with unsaved and archived talk; also in all workspaces of this machine', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'Counting')
  await claude.turn('one')
  await lab.json(['save', '001', '--json'])
  await claude.turn('two')
  for (const more of [[], ['--everywhere']]) {
    const { total, types } = await lab.json<Stats>(['stats', '--json', ...more])
    expect(total).toMatchObject({ conversations: 1, messages: 6 })
    expect(total.tokens).toBeGreaterThan(0)
    expect(Object.keys(types)).toEqual(['brainstorm'])
  }
  await lab.json(['edit', '001', '--archive', '--json'])
  expect((await lab.json<Stats>(['stats', '--json'])).total).toMatchObject({ conversations: 1, messages: 6 })
  expect((await lab.cortext(['stats'])).stdout).toMatch(/^1 conversation, 6 messages, about \d+ tokens\n/)
})
