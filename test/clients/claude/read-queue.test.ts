import { describe, expect, it } from 'vitest'
import { answer, call, read, record, result, script, text, user } from './transcript.ts'

const opening = [user('u1', null, 'first'), answer('a1', 'u1', 'm1', text('one'))]

let second = 0
const queue = (operation: string, content?: string, fields: object = {}) => ({
  type: 'queue-operation',
  operation,
  timestamp: new Date(Date.UTC(2026, 0, 2) + second++ * 1000).toISOString(),
  sessionId: 'native',
  ...(content === undefined ? {} : { content }),
  ...fields,
})
const queued = (uuid: string, parent: string, prompt: string) =>
  record(uuid, parent, {
    type: 'attachment',
    attachment: { type: 'queued_command', prompt, commandMode: 'prompt' },
  })
const working = (uuid: string, parent: string) => [
  answer(uuid, parent, `m-${uuid}`, call(`t-${uuid}`, 'Bash'), { stop_reason: 'tool_use' }),
  user(`r-${uuid}`, uuid, result(`t-${uuid}`, 'done')),
]

describe('a prompt that was typed while the agent worked', () => {
  it('is said when an attachment contains it', () => {
    const queued = (uuid: string, parent: string, fields: object) =>
      record(uuid, parent, { type: 'attachment', attachment: { type: 'queued_command', ...fields } })
    const reading = read([
      ...opening,
      queued('q1', 'a1', { prompt: 'and this', commandMode: 'prompt', origin: { kind: 'human' } }),
      queued('q2', 'q1', { prompt: [text('from elsewhere')], origin: { kind: 'peer' } }),
      queued('q3', 'q2', {
        prompt: '<task-notification>done</task-notification>',
        commandMode: 'task-notification',
      }),
      {
        type: 'queue-operation',
        operation: 'enqueue',
        content: 'and this',
        timestamp: '2026-01-02T00:00:00Z',
      },
      { type: 'queue-operation', operation: 'remove', timestamp: '2026-01-02T00:00:01Z' },
    ])
    expect(script(reading).slice(2)).toEqual([
      'user: and this',
      'tool task-notification: <task-notification>done</task-notification>',
    ])
  })

  it('is taken from the queue where the version writes no attachments (2.1.39)', () => {
    const records = [
      queue('enqueue', 'first'),
      queue('dequeue'),
      ...opening,
      queue('enqueue', '<task-notification>x</task-notification>'),
      queue('enqueue', '/model'),
      queue('enqueue', 'check again'),
      queue('enqueue', 'withdrawn'),
      queue('remove'),
      queue('remove'),
      queue('popAll'),
      user('u2', 'a1', 'second'),
    ]
    const reading = read(records)
    expect(script(reading)).toEqual(['user: first', 'assistant: one', 'user: check again', 'user: second'])
    const fork = read(records.map((one) => ({ ...one, sessionId: 'fork' })))
    expect(fork.messages.map(({ id }) => id)).toEqual(reading.messages.map(({ id }) => id))
  })

  it('is not taken back with those that wait behind it once it has left the queue', () => {
    const { messages } = read(
      [
        ...opening,
        answer('b1', 'a1', 'm2', call('t1', 'Bash'), { stop_reason: 'tool_use' }),
        queue('enqueue', 'next'),
        queue('dequeue'),
        queue('enqueue', 'second'),
        queue('popAll', 'second'),
      ],
      { ended: true },
    )
    expect(script({ messages }).slice(-1)).toEqual(['user: next'])
  })

  it('is said where the version writes only attachments of other kinds (2.1.91)', () => {
    const reading = read([
      record('x1', null, {
        type: 'attachment',
        attachment: { type: 'deferred_tools_delta', addedNames: [] },
      }),
      user('u1', 'x1', 'first'),
      queue('enqueue', 'and this'),
      ...working('a1', 'u1').slice(0, 1),
      queue('remove'),
      ...working('a1', 'u1').slice(1),
      answer('a2', 'r-a1', 'm2', text('both done')),
    ])
    expect(script(reading)).toEqual([
      'user: first',
      'assistant: ',
      'tool Bash: done',
      'user: and this',
      'assistant: both done',
    ])
  })

  it.each([
    ['behind the removal', (told: object, removed: object) => [removed, told]],
    ['before it', (told: object, removed: object) => [told, removed]],
  ])('is said once where an attachment contains it %s', (_place, order) => {
    const [ask, results] = working('a1', 'u1')
    const reading = read([
      user('u1', null, 'first'),
      queue('enqueue', 'and this'),
      ask!,
      results!,
      ...order(queued('q1', 'r-a1', 'and this'), queue('remove', 'and this')),
      answer('a2', 'q1', 'm2', text('ok')),
    ])
    expect(script(reading).filter((line) => line === 'user: and this')).toHaveLength(1)
  })

  it('is not said where it was withdrawn, in a version that writes what it gave to the agent', () => {
    const reading = read([
      user('u1', null, 'first'),
      queue('enqueue', 'and this'),
      queue('remove', 'and this'),
      queued('q1', 'u1', 'and this'),
      queue('enqueue', 'better not'),
      queue('remove', 'better not'),
      answer('a1', 'q1', 'm1', text('ok')),
      queue('enqueue', 'nor this'),
      queue('remove', 'nor this', { reason: 'cancelled' }),
      user('u2', 'a1', 'second'),
    ])
    expect(script(reading)).toEqual(['user: first', 'user: and this', 'assistant: ok', 'user: second'])
  })

  it('does not take the place of another one when a notification leaves the queue', () => {
    const note = '<task-notification>x</task-notification>'
    const reading = read([
      ...opening,
      queue('enqueue', 'wait for me'),
      queue('enqueue', note),
      queue('dequeue'),
      user('n1', 'a1', note),
      ...working('a2', 'n1'),
      queue('remove'),
      answer('a3', 'r-a2', 'm3', text('ok')),
    ])
    expect(script(reading).slice(-2)).toEqual(['user: wait for me', 'assistant: ok'])
  })

  it('is said last when the client ended before it was sent, and only then', () => {
    const records = [
      ...opening,
      user('u2', 'a1', 'go'),
      queue('enqueue', '/model'),
      queue('enqueue', 'force push now?'),
      ...working('a2', 'u2'),
      queue('enqueue', 'last words'),
      queue('remove', 'force push now?'),
    ]
    const told = ['user: force push now?', 'user: last words']
    expect(script(read(records, { ended: true })).slice(-2)).toEqual(told)
    expect(script(read(records)).slice(-1)).toEqual(['tool Bash: done'])
    const idle = [...opening, queue('enqueue', 'on its way')]
    const waiting = read(idle, { ended: true })
    expect(script(waiting).slice(2)).toEqual([])
    expect(waiting.report.unknown).toEqual({ 'unsent-prompt': { records: 1, bytes: 0 } })
    expect(read(idle).report.unknown).toEqual({})
    const sent = [...idle, user('u2', 'a1', 'on its way')]
    const reading = read(sent, { ended: true })
    expect(script(reading).slice(2)).toEqual(['user: on its way'])
    expect(reading.report.unknown).toEqual({})
  })

  it('is no prompt if a program put it there: the note of a task, in tags or as JSON, or a teammate', () => {
    const note = JSON.stringify({ task_id: 'b1', task_type: 'local_bash', status: 'completed' })
    const records = [
      ...opening,
      user('u2', 'a1', 'go'),
      ...['<task-notification>x</task-notification>', note, 'is <b> closed?', '/tmp/x is empty'].flatMap(
        (prompt) => [queue('enqueue', prompt), queue('remove', prompt)],
      ),
      ...working('a2', 'u2'),
    ]
    expect(script(read(records)).filter((line) => !line.startsWith('assistant'))).toEqual([
      'user: first',
      'user: go',
      `tool task-notification: ${note}`,
      'user: is <b> closed?',
      'user: /tmp/x is empty',
      'tool Bash: done',
    ])
  })
})
