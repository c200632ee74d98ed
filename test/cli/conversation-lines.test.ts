import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { conversationsAsJson, conversationTable } from '../../src/cli/conversation-lines.ts'
import type { Listed } from '../../src/journeys/finding/list.ts'
import { cellsOf } from '../../src/text/cells.ts'

const now = new Date('2026-11-21T12:00:00Z')

function listed(id: string, more: Partial<Listed> = {}): Listed {
  return {
    name: String(Number.parseInt(id, 10)),
    id,
    ownId: id,
    datedId: `2026-11-21/${id}`,
    path: `conversations/2026-11-21/${id}`,
    folder: `/home/ada/notes/conversations/2026-11-21/${id}`,
    title: 'API Design',
    type: 'brainstorm',
    status: { status: 'paused', auto: false },
    lastActive: new Date('2026-11-21T10:00:00Z'),
    created: new Date('2026-11-21T09:00:00Z'),
    summary: 'Leaning toward REST.',
    tags: ['api'],
    messages: 12,
    tokens: 3400,
    client: 'claude',
    archived: false,
    live: false,
    left: false,
    native: [],
    ...more,
  }
}

test('S1-003b, S1-003t: the table has every column, each as wide as its widest cell', () => {
  const auto = listed('002-plan-release', {
    title: 'Release\nplan',
    type: 'plan',
    status: { status: 'paused', auto: true },
    lastActive: new Date('2026-11-20T10:00:00Z'),
    messages: 4,
  })
  expect(conversationTable([listed('001-brainstorm-api'), auto], now)).toEqual([
    'ID  TYPE        STATUS         LAST ACTIVE  MESSAGES  CLIENT  TITLE',
    '1   brainstorm  paused         2 hours ago  12        claude  API Design',
    '2   plan        paused (auto)  yesterday    4         claude  Release plan',
  ])
})

test('keys have a column if there are any', () => {
  const lines = conversationTable([listed('001-chat-loop', { key: 'job:1' }), listed('002-plan-x')], now)
  expect(lines[0]).toMatch(/ KEY +TITLE$/)
  expect(lines[1]).toMatch(/^1 .* job:1 +API Design$/)
  expect(lines[2]).toMatch(/^2 .* API Design$/)
})

test('without a terminal a title has at most 100 columns, and a key 40', () => {
  const line = (title: string, key: string) => conversationTable([listed('001-x', { title, key })], now)[1]!
  const whole = line('t'.repeat(100), 'k'.repeat(40))
  expect(whole).toMatch(/ k{40} +t{100}$/)
  expect(line('t'.repeat(101), 'k'.repeat(41))).toMatch(/ k{39}… +t{99}…$/)
})

describe('in a terminal', () => {
  const some = [
    listed('001-brainstorm-api', {
      name: '11-21/1',
      title: 'API design for the public endpoints, with versioning and errors',
    }),
    listed('002-plan-release', { type: 'plan', client: 'opencode', datedId: '2026-11-20/002-plan-release' }),
    listed('001-debug-zh', {
      name: '11-20/1',
      type: 'debug',
      title: '数据库设计讨论：是否使用发件箱表',
      datedId: '2026-11-20/001-debug-zh',
    }),
  ]
  const paused = (width: number) => conversationTable(some, now, width)

  test.each([
    [200, 'ID       TYPE        STATUS  LAST ACTIVE  MESSAGES  CLIENT    TITLE'],
    [100, 'ID       TYPE        STATUS  LAST ACTIVE  MESSAGES  CLIENT    TITLE'],
    [80, 'ID       TYPE        LAST ACTIVE  CLIENT    TITLE'],
    [60, 'ID       LAST ACTIVE  TITLE'],
    [40, 'ID       TITLE'],
  ])('%i columns have room for these', (width, head) => {
    expect(paused(width)[0]).toBe(head)
  })

  test('the name is first and whole, also where the title is cut', () => {
    expect(paused(60).slice(1)).toEqual([
      '11-21/1  2 hours ago  API design for the public endpoints,…',
      '2        2 hours ago  API Design',
      '11-20/1  2 hours ago  数据库设计讨论：是否使用发件箱表',
    ])
  })

  // promise: The list in a terminal
  test('if not all are paused, 80 columns have the status too, if necessary instead of the client', () => {
    const columns = (...shown: Listed[]) => conversationTable(shown, now, 80)[0]!.split(/ {2,}/)
    const completed = listed('004-review-x', { status: { status: 'completed', auto: false }, type: 'plan' })
    expect(columns(...some, completed)).toEqual(['ID', 'TYPE', 'STATUS', 'LAST ACTIVE', 'TITLE'])
    const plan = listed('005-plan-y', { type: 'plan' })
    expect(columns(plan, completed)).toEqual(expect.arrayContaining(['STATUS', 'CLIENT']))
  })

  test('law: no line is wider than the terminal, whatever the titles are', () => {
    const title = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.lorem())
    fc.assert(
      fc.property(
        fc.array(title, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 30, max: 200 }),
        (titles, width) => {
          const all = titles.map((one, at) => listed(`00${at}-plan-x`, { title: one }))
          for (const line of conversationTable(all, now, width))
            expect(cellsOf(line)).toBeLessThanOrEqual(width)
        },
      ),
    )
  })
})

test('S1-003b: as JSON every fact has its field', () => {
  const one = listed('001-brainstorm-api', { key: 'job:1', archived: true })
  expect(conversationsAsJson([one], [])).toEqual({
    conversations: [
      {
        id: '001-brainstorm-api',
        name: '1',
        path: 'conversations/2026-11-21/001-brainstorm-api',
        type: 'brainstorm',
        title: 'API Design',
        status: 'paused',
        auto: false,
        last_active: '2026-11-21T10:00:00.000Z',
        message_count: 12,
        client: 'claude',
        summary: 'Leaning toward REST.',
        tags: ['api'],
        key: 'job:1',
        archived: true,
      },
    ],
    broken: [],
  })
})
