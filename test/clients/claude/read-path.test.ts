import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ids } from '../readings.ts'
import {
  accounted,
  answer,
  bytesOf,
  call,
  read,
  record,
  recordsOf,
  result,
  SAMPLES,
  sample,
  script,
  text,
  user,
} from './transcript.ts'

const opening = [user('u1', null, 'first'), answer('a1', 'u1', 'm1', text('one'))]

describe('the live path', () => {
  const two = [...opening, user('u2', 'a1', 'second'), answer('a2', 'u2', 'm2', text('two'))]
  const rewinds = (records: object[], more = {}) =>
    read(records, more).messages.filter(({ event }) => event === 'rewound')

  it('leaves what a person rewound, and says where to', () => {
    const reading = read([...two, user('u3', 'a1', 'second, again'), answer('a3', 'u3', 'm3', text('three'))])
    expect(script(reading)).toEqual([
      'user: first',
      'assistant: one',
      'user: second',
      'assistant: two',
      'rewound: ',
      'user: second, again',
      'assistant: three',
    ])
    expect(reading.messages[4]?.to).toBe(reading.messages[1]?.id)
    expect(reading.messages[5]?.parent_id).toBe(reading.messages[1]?.id)
  })

  it('can begin again, with nothing before it', () => {
    expect(rewinds([...two, user('u3', null, 'other')])).toMatchObject([{ to: null }])
  })

  it('does not break where attachments, hooks or parallel results are between', () => {
    const tools = [
      ...opening,
      user('u2', 'a1', 'go'),
      answer('a2', 'u2', 'm2', call('t1', 'Read'), { stop_reason: 'tool_use' }),
      answer('a3', 'a2', 'm2', call('t2', 'Bash'), { stop_reason: 'tool_use' }),
      user('r1', 'a2', result('t1', '1'), { sourceToolAssistantUUID: 'a2' }),
      user('r2', 'a3', result('t2', '2'), { sourceToolAssistantUUID: 'a3' }),
    ]
    for (const parent of ['r1', 'r2', 'a3'])
      expect(rewinds([...tools, user('u3', parent, 'stop')])).toEqual([])
    const between = [
      record('x1', 'a1', { type: 'attachment', attachment: { type: 'task_reminder' } }),
      record('x2', 'x1', { type: 'system', subtype: 'turn_duration' }),
      record('x3', 'x2', { type: 'brand-new' }),
    ]
    expect(rewinds([...opening, ...between, user('u2', 'x3', 'go')])).toEqual([])
  })

  it('continues after a compaction, and after a line that cannot be read', () => {
    const boundary = record('c1', null, {
      type: 'system',
      subtype: 'compact_boundary',
      logicalParentUuid: 'gone',
    })
    const summary = user('c2', 'c1', 'In short: …', { isCompactSummary: true })
    const reading = read([...two, boundary, summary, user('u3', 'c2', 'go on')])
    expect(reading.messages.map(({ event }) => event).filter(Boolean)).toEqual(['compacted'])
    expect(reading.messages[4]).toMatchObject({ event: 'compacted', summary: 'In short: …' })
    expect(rewinds([...two, user('u4', 'u3-was-torn', 'go on')])).toEqual([])
  })

  it('has one id for a compaction, also where its boundary is before the segment', () => {
    const boundary = record('c1', null, { type: 'system', subtype: 'compact_boundary' })
    const both = [boundary, user('c2', 'c1', 'In short: …', { isCompactSummary: true })]
    const segment = read(both, { from: bytesOf([boundary]).length })
    expect(segment.messages.map(({ id }) => id)).toEqual(read(both).messages.map(({ id }) => id))
  })

  it('has a summary without a boundary as well', () => {
    const reading = read([
      user('c2', null, 'In short: …', { isCompactSummary: true }),
      user('u1', 'c2', 'go on'),
    ])
    expect(reading.messages[0]).toMatchObject({ event: 'compacted', summary: 'In short: …' })
  })

  it('goes back to before a segment, from its first prompt and from a later one', () => {
    const whole = read(two).messages
    const lines = [
      ...two,
      user('u3', 'a2', 'third'),
      answer('a3', 'u3', 'm3', text('three')),
      user('u4', 'a1', 'back'),
    ]
    const later = read(lines, { from: bytesOf(two).length })
    expect(script(later)).toEqual(['user: third', 'assistant: three', 'rewound: ', 'user: back'])
    expect(later.messages[2]?.to).toBe(whole[1]?.id)
    expect(later.messages.map(({ seq }) => seq)).toEqual([4, 5, 6, 6])
    const first = read(lines, { from: bytesOf(lines.slice(0, 6)).length })
    expect(script(first)).toEqual(['rewound: ', 'user: back'])
    expect(first.messages[0]).toEqual(later.messages[2])
  })

  it('goes back over records of the client, and out of a turn that stopped the conversation', () => {
    const lines = [
      ...two,
      user('u3', 'a2', '/workspace.stop-conversation'),
      answer('a3', 'u3', 'm3', text('Session saved.')),
      user('u4', 'a3', 'on'),
      answer('a4', 'u4', 'm4', text('four')),
      record('s', 'a3', { type: 'system', subtype: 'informational' }),
      user('u5', 's', 'on, but otherwise'),
    ]
    for (const count of [6, 8]) {
      const segment = read(lines, { from: bytesOf(lines.slice(0, count)).length })
      expect(segment.messages.find(({ event }) => event === 'rewound')?.to).toBe(ids(read(two))[3])
    }
    const on = read(lines, { from: bytesOf(lines.slice(0, 6)).length, to: bytesOf(lines.slice(0, 8)).length })
    expect(script(on)).toEqual(['user: on', 'assistant: four'])
  })
})

describe('a segment that begins inside an answer', () => {
  const lines = [
    user('u1', null, 'go'),
    answer('a1', 'u1', 'm1', text('I will look.'), { stop_reason: 'tool_use' }),
    answer('a2', 'a1', 'm1', call('t1', 'Read'), { stop_reason: 'tool_use' }),
    user('r1', 'a2', result('t1', 'x')),
    answer('a3', 'r1', 'm1', call('t2', 'Read'), { stop_reason: 'tool_use' }),
    user('u2', 'a3', 'and now'),
    answer('a4', 'u2', 'm1', text('an id that the server gave twice')),
  ]
  const from = (count: number) => ({ from: bytesOf(lines.slice(0, count)).length })
  const whole = read(lines).messages

  it('has its rest under the id of the whole', () => {
    for (const count of [2, 4]) expect(read(lines, from(count)).messages[0]?.id).toBe(whole[1]?.id)
  })

  it('ends where damaged links lead in a circle', () => {
    const circle = [
      answer('a1', 'a2', 'm1', text('one')),
      answer('a2', 'a1', 'm1', text('two')),
      answer('a3', 'a2', 'm1', text('three')),
    ]
    const start = bytesOf(circle.slice(0, 2)).length
    expect(script(read(circle, { from: start }))).toEqual(['assistant: three'])
    expect(read(circle).messages).toHaveLength(1)
  })

  it('does not mistake another answer for it', () => {
    for (const count of [5, 6]) expect(read(lines, from(count)).messages.at(-1)?.id).toBe(whole.at(-1)?.id)
  })
})

describe('what no rule knows', () => {
  it('is kept raw and counted by kind', () => {
    const strange = [
      record('x1', 'a1', { type: 'hologram', data: 1 }),
      record('x2', 'x1', { type: 'attachment', attachment: { type: 'scent' } }),
      record('x3', 'x2', { type: 'system', subtype: 'weather' }),
      answer('x4', 'x3', 'm9', { type: 'telepathy', id: 's' }),
      { type: '__proto__' },
      { type: 'constructor' },
    ]
    const reading = read([...opening, ...strange])
    expect(accounted(reading.report)).toBe(reading.report.bytes)
    expect(Object.keys(reading.report.unknown).sort()).toEqual(
      [
        'hologram',
        'attachment:scent',
        'system:weather',
        'block:telepathy',
        '__proto__',
        'constructor',
      ].sort(),
    )
    const raws = reading.messages.filter(({ event }) => event === 'unknown').map(({ raw }) => raw)
    expect(raws).toHaveLength(6)
    expect(raws[0]).toEqual(strange[0])
    expect(raws[3]).toEqual({ type: 'telepathy', id: 's' })
  })

  it('a repeated record is read once', () => {
    const reading = read([...opening, ...opening])
    expect(reading.messages).toHaveLength(2)
    expect(reading.report.derived.records).toBe(2)
  })
})

describe('every sample', () => {
  it('has the same messages under the same ids in a fork', () => {
    for (const name of SAMPLES) {
      const records = recordsOf(sample(name))
      const fork = records.map((one) => ({ ...one, sessionId: 'another', forkedFrom: {} }))
      expect(ids(read(fork, { nativeId: 'another' }))).toEqual(ids(read(sample(name))))
    }
  })

  it('has no rewind for what damage there is among its lines', () => {
    const kind = fc.constantFrom('user', 'assistant', 'attachment', 'system', 'progress', 'queue-operation')
    const odd = fc.record({ type: kind, message: fc.jsonValue(), data: fc.jsonValue() })
    fc.assert(
      fc.property(fc.constantFrom(...SAMPLES), fc.nat(), odd, (name, at, record) => {
        const records: object[] = recordsOf(sample(name))
        records.splice(at % records.length, 0, record)
        expect(read(records).messages.filter(({ event }) => event === 'rewound')).toEqual([])
      }),
    )
  })
})

describe('MCP tools', () => {
  it('are found where they are given and where they are used, also before the segment (S1-001g)', () => {
    const shape = {
      type: 'api-request-shape',
      shape: { tools: [{ name: 'Read' }, { name: 'mcp__demo__ping' }] },
    }
    const delta = record('x1', null, {
      type: 'attachment',
      attachment: { type: 'deferred_tools_delta', addedNames: ['mcp__demo__late', 'Bash'] },
    })
    const used = answer('a1', 'u1', 'm1', call('t1', 'mcp__other__run'))
    const lines = [shape, delta, user('u1', 'x1', 'go'), used]
    expect(read(lines).facts.mcpTools).toEqual(['mcp__demo__late', 'mcp__demo__ping', 'mcp__other__run'])
    const from = bytesOf([shape, delta]).length
    expect(read(lines, { from }).facts.mcpTools).toEqual([
      'mcp__demo__late',
      'mcp__demo__ping',
      'mcp__other__run',
    ])
  })
})
