import { expect, test } from 'vitest'
import { conversationsAsJson, conversationTable } from '../../src/cli/conversation-lines.ts'
import type { Listed } from '../../src/journeys/finding/list.ts'

const now = new Date('2026-11-21T12:00:00Z')

function listed(id: string, more: Partial<Listed> = {}): Listed {
  return {
    id,
    datedId: `2026-11-21/${id}`,
    path: `conversations/2026-11-21/${id}`,
    folder: `/home/ada/notes/conversations/2026-11-21/${id}`,
    title: 'API Design',
    type: 'brainstorm',
    status: { status: 'paused', auto: false },
    lastActive: new Date('2026-11-21T10:00:00Z'),
    summary: 'Leaning toward REST.',
    tags: ['api'],
    messages: 12,
    client: 'claude',
    archived: false,
    old: false,
    live: false,
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
    'ID                  TYPE        STATUS         LAST ACTIVE  MESSAGES  TITLE',
    '001-brainstorm-api  brainstorm  paused         2 hours ago  12        API Design',
    '002-plan-release    plan        paused (auto)  yesterday    4         Release plan',
  ])
})

test('keys have a column where there are any, and the same id of two days is told apart by the day', () => {
  const same = '001-chat-loop'
  const lines = conversationTable(
    [listed(same, { key: 'job:1' }), listed(same, { datedId: `2026-11-20/${same}` })],
    now,
  )
  expect(lines[0]).toMatch(/ TITLE +KEY$/)
  expect(lines[1]).toMatch(/^2026-11-21\/001-chat-loop .* API Design +job:1$/)
  expect(lines[2]).toMatch(/^2026-11-20\/001-chat-loop .* API Design$/)
})

test('S1-003b: as JSON every fact has its field', () => {
  const one = listed('001-brainstorm-api', { key: 'job:1', archived: true })
  expect(conversationsAsJson([one], [])).toEqual({
    conversations: [
      {
        id: '001-brainstorm-api',
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
