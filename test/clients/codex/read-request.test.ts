import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codex } from '../../../src/clients/codex/index.ts'
import { textOf } from '../../../src/session/live-path.ts'
import { accounted } from '../readings.ts'

let clock = 0

const line = (type: string, payload: object) => ({
  timestamp: new Date(Date.UTC(2025, 8, 20, 0, 0, clock++)).toISOString(),
  type,
  payload,
})
const message = (role: string, text: string, more: object = {}) => ({
  type: 'message',
  role,
  content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
  ...more,
})
const sent = (text: string) => line('response_item', message('user', text))
const answered = (text: string) => line('response_item', message('assistant', text))
const event = (type: string, more: object) => line('event_msg', { type, ...more })
const meta = () => line('session_meta', { id: 'thread', cwd: '/p' })

function bytesOf(lines: readonly object[]): Buffer {
  return Buffer.from(lines.map((one) => `${JSON.stringify(one)}\n`).join(''))
}

function read(lines: readonly object[], to?: number) {
  const bytes = bytesOf(lines)
  const raw = {
    nativeId: 'thread',
    bytes: bytes.subarray(0, to),
    sideFiles: [],
    readSideFile: () => undefined,
  }
  const reading = codex.reading.read(raw)
  return { ...reading, script: reading.messages.map((one) => `${one.event ?? one.role}: ${textOf(one)}`) }
}

const BARE = [
  {
    id: '0199-thread',
    timestamp: '2025-08-14T10:00:00.000Z',
    instructions: null,
    git: { branch: 'main', commit_hash: 'c0ffee' },
  },
  { record_type: 'state' },
  message('user', '<environment_context>\n  <cwd>/home/ann/app</cwd>\n</environment_context>'),
  message('user', 'what is in here?'),
  { record_type: 'state' },
  {
    type: 'reasoning',
    id: 'rs_1',
    summary: [{ type: 'summary_text', text: 'I look.' }],
    encrypted_content: 'x'.repeat(200),
  },
  { type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'call_1' },
  { type: 'function_call_output', call_id: 'call_1', output: '{"output":"a.txt\\n"}' },
  message('assistant', 'One file.'),
  message('user', 'go on'),
  message('assistant', 'Done.'),
  message('user', 'go on'),
  message('assistant', 'Done.'),
]

describe('a rollout without envelope (before September 2025)', () => {
  it('is read whole, and the same words twice are two messages', () => {
    const { script, messages, report, facts } = read(BARE)
    expect(script).toEqual([
      ...['user: what is in here?', 'assistant: ', 'tool: {"output":"a.txt\\n"}', 'assistant: One file.'],
      ...['user: go on', 'assistant: Done.', 'user: go on', 'assistant: Done.'],
    ])
    expect(messages[1]).toMatchObject({ reasoning: 'I look.', tool_calls: [{ name: 'shell' }] })
    expect(messages[2]).toMatchObject({ tool_call_id: 'call_1', tool_name: 'shell' })
    expect(new Set(messages.map(({ timestamp }) => timestamp))).toEqual(new Set(['2025-08-14T10:00:00.000Z']))
    expect(facts.cwd).toBe('/home/ann/app')
    expect(report.unknown).toEqual({})
    expect(accounted(report)).toBe(report.bytes)
  })

  it('names its session, and is not taken for another client’s', () => {
    expect(codex.reading.sessionId!(bytesOf(BARE))).toBe('0199-thread')
  })
})

describe('a message that is only in the request', () => {
  it('is kept in a file without events', () => {
    const lines = [
      meta(),
      sent('<environment_context>x</environment_context>'),
      sent('one'),
      answered('first'),
    ]
    const { script, report } = read([...lines, sent('two'), answered('second')])
    expect(script).toEqual(['user: one', 'assistant: first', 'user: two', 'assistant: second'])
    expect(report.dropped['system-text']?.records).toBe(1)
  })

  it('is not what the person said when Codex puts it into a tag of its own', () => {
    const tagged = '<recommended_plugins>\nx\n</recommended_plugins>'
    const { script, report } = read([meta(), sent(tagged), sent('one'), answered('first')])
    expect(script).toEqual(['user: one', 'assistant: first'])
    expect(report.dropped['system-text']?.records).toBe(1)
    for (const pasted of ['<b>\nbold\n</b> says nothing', '<error_log>\nx\n</error_log>\nWhat is this?'])
      expect(read([meta(), sent(pasted), answered('first')]).script[0]).toBe(`user: ${pasted}`)
  })

  it('is kept before the first event, as in a thread that was begun with the talk of another thread', () => {
    const { script } = read([
      ...[meta(), sent('old question'), answered('old answer')],
      ...[event('task_started', { turn_id: 't' }), sent('new'), event('user_message', { message: 'new' })],
      ...[event('agent_message', { message: 'answer' }), answered('answer')],
      event('task_complete', { turn_id: 't' }),
    ])
    expect(script).toEqual([
      ...['user: old question', 'assistant: old answer', 'user: new', 'assistant: answer'],
    ])
  })

  it('is not kept twice when it has an event, whichever of the two comes first, nor when it is worded otherwise', () => {
    const { script } = read([
      ...[meta(), event('user_message', { message: 'one' }), sent('one')],
      ...[answered('first'), event('agent_message', { message: 'first' })],
      ...[sent('## My request:\ntwo'), event('user_message', { message: 'two' })],
      ...[event('agent_message', { message: 'second' }), answered('second, with a citation')],
      ...[sent('three'), event('user_message', { message: 'three' })],
    ])
    expect(script).toEqual([
      ...['user: one', 'assistant: first', 'user: two', 'assistant: second', 'user: three'],
    ])
  })

  it('is kept if it is short, and an event of other words contains it', () => {
    const { script } = read([
      ...[meta(), event('task_started', { turn_id: 't' }), sent('ok'), sent('ok, go on')],
      ...[event('user_message', { message: 'ok, go on' }), answered('Done.')],
      ...[event('agent_message', { message: 'Done.' }), event('task_complete', { turn_id: 't' })],
    ])
    expect(script).toEqual(['user: ok', 'user: ok, go on', 'assistant: Done.'])
  })

  it('is kept as the last prompt of a file that has an event for an earlier prompt', () => {
    const told = [meta(), sent('one'), event('user_message', { message: 'one' }), answered('first')]
    expect(read([...told, sent('two'), answered('second')]).script).toEqual([
      ...['user: one', 'assistant: first', 'user: two', 'assistant: second'],
    ])
  })

  it('is one message when it is repeated, alone or with its event or turn', () => {
    const turn = (id: string, ...lines: object[]) => [
      event('task_started', { turn_id: id }),
      ...lines,
      event('task_complete', { turn_id: id }),
    ]
    const lines = [
      ...[meta(), ...turn('t', sent('one'), event('user_message', { message: 'one' }), answered('alone'))],
      ...turn('u', sent('two'), answered('second'), event('agent_message', { message: 'second' })),
    ]
    const { script } = read(lines)
    expect(script).toEqual(['user: one', 'assistant: alone', 'user: two', 'assistant: second'])
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...lines), { maxLength: 6 }), (again) => {
        expect(read([...lines, ...again]).script).toEqual(script)
      }),
    )
  })

  it('is another message in another turn of a thread whose lines all have one time', () => {
    const timestamp = '2025-09-20T00:00:00.000Z'
    const turn = (id: string) =>
      [
        event('task_started', { turn_id: id }),
        ...[sent('go on'), answered('Done.'), event('task_complete', { turn_id: id })],
      ].map((one) => ({ ...one, timestamp }))
    expect(read([meta(), ...turn('t'), ...turn('u')]).script).toEqual([
      ...['user: go on', 'assistant: Done.', 'user: go on', 'assistant: Done.'],
    ])
  })

  it('waits for its event while a turn runs', () => {
    const lines = [meta(), event('task_started', { turn_id: 't' }), sent('one')]
    expect(read(lines).script).toEqual([])
    expect(read([...lines, event('user_message', { message: 'one' })]).script).toEqual(['user: one'])
  })

  it('reads the same at every moment of a growing file', () => {
    const lines = [
      ...[meta(), event('task_started', { turn_id: 't' }), sent('one')],
      ...[event('user_message', { message: 'one' }), answered('a word'), answered('more')],
      ...[event('agent_message', { message: 'more' }), event('task_complete', { turn_id: 't' })],
      ...[event('task_started', { turn_id: 'u' }), sent('two'), answered('alone')],
      event('task_complete', { turn_id: 'u' }),
    ]
    const whole = read(lines)
    expect(whole.script).toEqual([
      ...['user: one', 'assistant: a word', 'assistant: more', 'user: two', 'assistant: alone'],
    ])
    const ids = whole.messages.map(({ id }) => id)
    fc.assert(
      fc.property(fc.nat(bytesOf(lines).length), (to) => {
        const some = read(lines, to).messages.map(({ id }) => id)
        expect(some).toEqual(ids.filter((id) => some.includes(id)))
      }),
    )
  })
})
