import { describe, expect, it } from 'vitest'
import { amp } from '../../../src/clients/amp/index.ts'

const THREAD = 'T-00000000-aaaa-4bbb-8ccc-dddddddddddd'

const user = {
  role: 'user',
  messageId: 0,
  content: [{ type: 'text', text: 'hi' }],
  meta: { sentAt: 1780000000123 },
}
const answer = {
  role: 'assistant',
  messageId: 1,
  content: [{ type: 'text', text: 'ho' }],
  state: { type: 'complete' },
}
const document = {
  ...{ v: 3, id: THREAD, created: 1780000000000, messages: [user, answer], title: 'Greeting' },
  env: { initial: { trees: [{ uri: 'file:///home/me/my%20work' }] } },
  usageLedger: { events: [{ toMessageId: 1, timestamp: '2026-05-28T20:26:50.000Z' }] },
}

function read(messages: object[], more = {}) {
  const text = amp.reading.fromExport?.(JSON.stringify({ ...document, messages, ...more })) ?? ''
  const raw = { nativeId: THREAD, bytes: Buffer.from(text), sideFiles: [] }
  return amp.reading.read({ ...raw, readSideFile: () => undefined })
}

describe('the document of a thread', () => {
  it('becomes a line about the thread and a line for each message, with times', () => {
    const { messages, facts } = read([user, answer])
    expect(messages.map(({ content, timestamp }) => [content, timestamp])).toEqual([
      ['hi', '2026-05-28T20:26:40.123Z'],
      ['ho', '2026-05-28T20:26:50.000Z'],
    ])
    expect(facts).toMatchObject({ title: 'Greeting', cwd: '/home/me/my work', settled: true })
    const lines = amp.reading.fromExport?.(`\ufeff${JSON.stringify(document)}`)
    expect(amp.reading.sessionId?.(Buffer.from(lines ?? ''))).toBe(THREAD)
  })

  it('grows by lines at the end, so that an import takes only what is new', () => {
    const [short, long] = [[user], [user, answer]].map((messages) =>
      amp.reading.fromExport?.(JSON.stringify({ ...document, messages, v: messages.length }, null, 2)),
    )
    expect(long?.startsWith(short!)).toBe(true)
  })

  it.each(['', '{', '[]', '{"id":"T-1"}', '{"id":"ses_1","messages":[]}', 'null', '{"messages":[]}'])(
    'is not %j',
    (text) => {
      expect(amp.reading.fromExport?.(text)).toBeUndefined()
    },
  )
})

it('a result that was refused or has failed is an error, with all that Amp noted of it', () => {
  const result = (run: object) => ({ type: 'tool_result', toolUseID: 'a', run })
  const { messages } = read([
    { role: 'user', messageId: 2, content: [result({ status: 'rejected-by-user', reason: 'Not now.' })] },
    { role: 'user', messageId: 3, content: [result({ status: 'in-progress', progress: [] })] },
  ])
  expect(messages).toMatchObject([
    { role: 'tool', is_error: true, content: '{"status":"rejected-by-user","reason":"Not now."}' },
    { role: 'tool', content: '' },
  ])
  expect(messages[1]!.is_error).toBeUndefined()
})

it('what no rule knows is kept raw', () => {
  const { messages, report } = read([
    { role: 'info', messageId: 4, content: [] },
    { role: 'assistant', messageId: 5, content: [{ type: 'song' }, { type: 'text', text: 'la' }] },
  ])
  expect(Object.keys(report.unknown)).toEqual(['info', 'part:song'])
  expect(messages.map(({ event, content }) => event ?? content)).toEqual(['unknown', 'la', 'unknown'])
})
