import { expect, test } from 'vitest'
import { qwen } from '../../../src/clients/qwen/index.ts'
import type { Message } from '../../../src/session/schema.ts'

const SESSION = '0199aaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee'

/** Reads records, each of which follows the one before unless it says otherwise. */
function reading(...records: object[]) {
  const lines = records.map((record, index) => ({
    uuid: `u${index}`,
    parentUuid: index === 0 ? null : `u${index - 1}`,
    sessionId: SESSION,
    timestamp: '2026-01-01T00:00:00.000Z',
    ...record,
  }))
  const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return {
    ...qwen.reading.read({ nativeId: SESSION, bytes, sideFiles: [], readSideFile: () => undefined }),
    turnStart: bytes.subarray(0, qwen.reading.turnStart(bytes)).toString().split('\n').length - 1,
  }
}

const user = (text: string, more: object = {}) => ({ type: 'user', message: { parts: [{ text }] }, ...more })
const answer = (...parts: object[]) => ({ type: 'assistant', message: { role: 'model', parts } })
const system = (subtype: string, systemPayload: object = {}) => ({ type: 'system', subtype, systemPayload })
const said = ({ messages }: { messages: Message[] }) =>
  messages.map(({ role, content, event }) => [event ?? role, content])

test('a command is what was typed: by its own record, by what the client has kept, or by its first line', () => {
  const body = '[/workspace.plan] one\n\nYou plan.'
  const command = { phase: 'invocation', rawCommand: '/workspace.plan  one', sentToModel: true }
  const kept = { displayText: '/workspace.plan\none', hookContext: 'x' }
  const read = reading(
    system('slash_command', command),
    system('slash_command', { phase: 'result', rawCommand: '/workspace.plan  one' }),
    user(body),
    user(body, { systemPayload: kept }),
    user(body),
    user('[/other] one\n\nas it is'),
  )
  expect(said(read)).toEqual([
    ['user', '/workspace.plan  one'],
    ['user', '/workspace.plan\none'],
    ['user', '/workspace.plan one'],
    ['user', '[/other] one\n\nas it is'],
  ])
  expect(read.report.dropped['command-body']?.records).toBe(3)
})

test('a version that does not say what it sends: a command is the prompt that follows its end at once', () => {
  const at = (ms: number, record: object) => ({
    ...record,
    timestamp: new Date(1_764_000_000_000 + ms).toISOString(),
  })
  const end = (rawCommand: string, outputHistoryItems: object[] = []) =>
    system('slash_command', { phase: 'result', rawCommand, outputHistoryItems })
  const begin = at(0, system('slash_command', { phase: 'invocation', rawCommand: '/fix it' }))
  const read = reading(
    ...[begin, at(40, end('/fix it')), at(100, user('Fix it, as it is written.'))],
    at(200, answer({ text: 'done' })),
    ...[at(900, end('/model')), at(1_500, user('and now?'))],
    ...[at(3_000, end('/stats', [{ type: 'info' }])), at(3_010, user('hi'))],
  )
  expect(said(read).filter(([role]) => role === 'user')).toEqual([
    ['user', '/fix it'],
    ['user', 'and now?'],
    ['user', 'hi'],
  ])
  const last = [begin, at(40, end('/fix it')), at(100, user('Fix it.'))]
  expect(reading(at(0, answer({ text: 'x' })), ...last).turnStart).toBe(2)
})

test('the context of hooks and the content of mentioned files are left out, and an image stays', () => {
  const image = { inlineData: { data: 'aGk=', mimeType: 'image/png' } }
  const parts = [
    { text: 'see @a.png' },
    { text: '\n--- Content from referenced files ---' },
    { text: '\nContent from a.png:\n' },
    image,
    { text: '\n--- End of content ---' },
    { text: '<qwen:user-prompt-submit-context>\na &lt;note&gt;\n</qwen:user-prompt-submit-context>' },
  ]
  const read = reading({ type: 'user', message: { parts } })
  expect(said(read)).toEqual([
    ['user', [{ type: 'text', text: 'see @a.png' }, expect.objectContaining({ type: 'image' })]],
  ])
  expect(Object.keys(read.report.dropped)).toEqual(['mentioned-file', 'hook-output'])
})

test('a rewind goes back to the message that its record follows, and so does a record of a second process', () => {
  const read = reading(
    user('one'),
    answer({ text: 'first' }),
    user('two'),
    answer({ text: 'second' }),
    { ...system('rewind'), parentUuid: 'u1' },
    user('three'),
    { ...user('four'), parentUuid: 'u1' },
  )
  const back = read.messages.filter(({ event }) => event === 'rewound')
  const first = read.messages.find(({ content }) => content === 'first')!
  expect(back.map(({ to }) => to)).toEqual([first.id, first.id])
  expect(said(read).map(([role]) => role)).toEqual([
    ...['user', 'assistant', 'user', 'assistant', 'rewound', 'user', 'rewound', 'user'],
  ])
})

test('several results of one record are several messages, and what was cut for the model is put back', () => {
  const call = (id: string) => ({ functionCall: { id, name: 'run_shell_command', args: {} } })
  const result = (id: string, response: object) => ({
    functionResponse: { id, name: 'run_shell_command', response },
  })
  const numbers = Array.from({ length: 300 }, (_, n) => n).join('\n')
  const [head, tail] = [numbers.slice(0, 100), numbers.slice(-100)]
  const cut = `Tool output was too large and has been truncated.\nThe full output…\n\nTruncated part of the output:\nOutput: ${head}\n... [CONTENT TRUNCATED] ...\n${tail}\nExit Code: 0`
  const read = reading(
    user('go'),
    answer(call('a'), call('b'), call('c')),
    { type: 'tool_result', message: { parts: [result('a', { output: 'A' }), result('b', { error: 'B' })] } },
    {
      type: 'tool_result',
      message: { parts: [result('c', { output: cut })] },
      toolCallResult: { status: 'success', resultDisplay: { output: numbers } },
    },
  )
  const results = read.messages.filter(({ role }) => role === 'tool')
  expect(results.map(({ tool_call_id, is_error }) => [tool_call_id, is_error === true])).toEqual([
    ['a', false],
    ['b', true],
    ['c', false],
  ])
  expect(results[2]!.content).toBe(`Output: ${numbers}\nExit Code: 0`)
  expect(read.facts.settled).toBe(false)
})

test('the running turn begins at its prompt, or at the record of the command before it', () => {
  const command = { phase: 'invocation', rawCommand: '/workspace.plan', sentToModel: true }
  const call = { functionCall: { id: 'a', name: 'read_file', args: {} } }
  expect(reading(user('one'), answer({ text: 'x' })).turnStart).toBe(2)
  expect(reading(user('one'), answer({ text: 'x' }), user('two'), system('ui_telemetry')).turnStart).toBe(2)
  expect(reading(user('one'), answer({ text: 'x' }, call)).turnStart).toBe(0)
  expect(reading(answer({ text: 'x' }), system('slash_command', command), user('y')).turnStart).toBe(1)
  expect(reading(answer({ text: 'x' }), system('slash_command', command)).turnStart).toBe(1)
})

test('what no rule knows is kept', () => {
  const odd = [{ type: 'odd' }, system('odd'), user('x', { subtype: 'odd' }), { type: 'tool_result' }]
  const { report, messages } = reading(...odd)
  expect(Object.keys(report.unknown)).toEqual(['odd', 'system:odd', 'user:odd', 'tool_result'])
  expect(messages.map(({ event }) => event)).toEqual(odd.map(() => 'unknown'))
})
