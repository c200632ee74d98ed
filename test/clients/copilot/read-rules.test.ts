import { describe, expect, it } from 'vitest'
import { copilot } from '../../../src/clients/copilot/index.ts'
import { livePath } from '../../../src/session/live-path.ts'
import type { Message } from '../../../src/session/schema.ts'
import { fixturesOf } from '../fixtures.ts'

type Event = Record<string, unknown>

const at = (n: number) => `2026-01-01T00:00:${String(n).padStart(2, '0')}.000Z`
const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

function session(...events: Event[]): Uint8Array {
  const lines = events.map((event, n) => ({ id: idOf(n), timestamp: at(n), parentId: null, ...event }))
  return Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

const read = (bytes: Uint8Array, side: Record<string, string> = {}) =>
  copilot.reading.read({
    nativeId: 's',
    bytes,
    sideFiles: Object.keys(side),
    readSideFile: (name) => (side[name] === undefined ? undefined : Buffer.from(side[name])),
  })
const event = (type: string, data: object = {}, more: object = {}): Event => ({ type, data, ...more })
const user = (content: string, more: object = {}) => event('user.message', { content, ...more })
const assistant = (content: string, more: object = {}) => event('assistant.message', { content, ...more })
const call = (id: string, name = 'bash', more: object = {}) =>
  assistant('', { toolRequests: [{ toolCallId: id, name, arguments: {}, ...more }] })
const result = (id: string, content: string, more: object = {}) =>
  event('tool.execution_complete', { toolCallId: id, success: true, result: { content }, ...more })

const said = (messages: readonly Message[]) => messages.map(({ role, content }) => `${role}: ${content}`)

describe('a session of Copilot CLI', () => {
  it('has what was typed, and what the client made of it in the account', () => {
    const sent = 'DATE\n<skill-context name="workspace.plan">BODY</skill-context>'
    const { messages, report } = read(
      session(
        user('/workspace.plan it', { transformedContent: sent }),
        assistant('Yes.'),
        user('and', { transformedContent: 'DATE and' }),
      ),
    )
    expect(said(messages)).toEqual(['user: /workspace.plan it', 'assistant: Yes.', 'user: and'])
    expect(report.dropped['command-body']?.bytes).toBe(Buffer.byteLength(JSON.stringify(sent)) - 2)
    expect(report.dropped['system-text']?.bytes).toBe('DATE and'.length)
  })

  it('leaves out what comes from a skill or from autopilot, and keeps what another agent reports as a tool', () => {
    const { messages } = read(
      session(
        user('one'),
        user('THE SKILL', { source: 'skill-pdf' }),
        user('Go on.', { isAutopilotContinuation: true }),
        user('I am done.', { source: 'agent-x' }),
        event('system.notification', { content: 'It ended.' }),
      ),
    )
    expect(said(messages)).toEqual(['user: one', 'tool: I am done.', 'tool: It ended.'])
    expect(messages.slice(1).map(({ tool_name }) => tool_name)).toEqual([
      'task-notification',
      'task-notification',
    ])
  })

  it('has what was typed without the time that older versions wrote below it', () => {
    const time = '\n\n<current_datetime>2025-12-02T05:30:13.272Z</current_datetime>'
    const { messages, report } = read(
      session(user(`one\ntwo${time}`), user(`mine${time}`, { transformedContent: 'x' })),
    )
    expect(said(messages)).toEqual(['user: one\ntwo', `user: mine${time}`])
    expect(report.dropped['system-text']?.records).toBe(2)
  })

  it('leaves out a reminder that the client sends as a message, and keeps other messages with that source', () => {
    const reminder = '<system_reminder>\nTools can be looked up.\n</system_reminder>'
    const { messages, report } = read(
      session(
        user('one'),
        user('', { source: 'system', transformedContent: reminder }),
        user(reminder, { source: 'system' }),
        user('It ended.', { source: 'system' }),
      ),
    )
    expect(said(messages)).toEqual(['user: one', 'tool: It ended.'])
    expect(report.dropped['system-text']?.records).toBe(2)
  })

  it('does not take what a hook tells the agent for the words of the person', () => {
    const stop = event('hook.end', {
      hookType: 'agentStop',
      output: { decision: 'block', reason: 'Run tests.' },
    })
    const { messages, report } = read(
      session(user('one'), assistant('1'), stop, user('Run tests.'), assistant('2'), user('Run tests.')),
    )
    expect(said(messages)).toEqual(['user: one', 'assistant: 1', 'assistant: 2', 'user: Run tests.'])
    expect(report.dropped['hook-output']?.records).toBe(2)
  })

  it('has the person`s words with a refusal, and their answers to questions', () => {
    const { messages } = read(
      session(
        call('a'),
        event('permission.completed', {
          toolCallId: 'a',
          result: { kind: 'denied-interactively-by-user', feedback: 'use y' },
        }),
        result('a', '', { success: false, error: { message: 'Rejected. User feedback: use y' } }),
        call('b', 'ask_user'),
        event('human_response.recorded', {
          toolCallId: 'b',
          response: { responseKind: 'ask_user', message: 'Which?', content: { colour: 'blue', why: 'sea' } },
        }),
        result('b', 'User responded: colour=blue, why=sea'),
      ),
    )
    const words = messages.filter(({ role }) => role === 'user')
    expect(words.map(({ content, tool_call_id }) => [content, tool_call_id])).toEqual([
      ['use y', 'a'],
      ['> Which?\n\ncolour: blue\nwhy: sea', 'b'],
    ])
    expect(messages.find(({ tool_call_id }) => tool_call_id === 'a')).toMatchObject({
      refused: true,
      is_error: true,
      content: 'Rejected. User feedback: use y',
    })
  })

  it('has the words and the thoughts of a turn that was interrupted, once, also if the result comes later', () => {
    const denied = event('permission.completed', {
      toolCallId: 'a',
      result: { kind: 'denied-interactively-by-user', feedback: 'keep the backup' },
    })
    const thought = event('assistant.reasoning', { content: 'It may be needed.' })
    const { messages } = read(
      session(
        user('one'),
        call('a'),
        denied,
        thought,
        event('abort', {}),
        result('a', 'no'),
        user('two'),
        assistant('2'),
      ),
    )
    expect(messages.filter(({ content }) => content === 'keep the backup')).toHaveLength(1)
    const thinking = messages.filter(({ reasoning }) => reasoning !== undefined)
    expect(thinking.map(({ content, reasoning }) => [content, reasoning])).toEqual([
      ['', 'It may be needed.'],
    ])
  })

  it('marks a command that failed, which is a success of the tool, and names the tools of MCP servers', () => {
    const { messages, facts } = read(
      session(
        call('a'),
        result('a', 'no', { shellExecution: { exitCode: 3 } }),
        call('b', 'notes-look_up', { mcpServerName: 'notes', mcpToolName: 'look_up' }),
        result('b', 'found'),
      ),
    )
    expect(messages.filter(({ role }) => role === 'tool')).toMatchObject([
      { tool_name: 'bash', is_error: true },
      { tool_name: 'mcp__notes__look_up' },
    ])
    expect(facts.mcpTools).toEqual(['mcp__notes__look_up'])
  })

  it('puts back an output that the client has moved, while its file is there', () => {
    const name = `1795661889580-copilot-tool-output-22099-${idOf(1)}.txt`
    const cut = `Output too large to read at once (42.9 KB). Saved to: /tmp/${name}\nConsider using tools.\n`
    const bytes = session(call('a'), result('a', cut))
    expect(read(bytes, { [name]: 'ALL OF IT' }).messages[1]!.content).toBe('ALL OF IT')
    expect(read(bytes).messages[1]!.content).toBe(cut)
    const quoted = session(call('a'), result('a', `> ${cut}`))
    expect(read(quoted, { [name]: 'ALL OF IT' }).messages[1]!.content).toBe(`> ${cut}`)
  })

  it('has images as attachments, whose bytes are in an event of their own', () => {
    const asset = event('session.binary_asset', { assetId: 'sha256:x', mimeType: 'image/png', data: 'AAAA' })
    const attachments = [{ type: 'file', displayName: '@dot.png', assetId: 'sha256:x' }]
    const { messages, blobs } = read(session(asset, user('look', { attachments })))
    expect(messages[0]!.attachments).toMatchObject([{ media_type: 'image/png', bytes: 3, name: 'dot.png' }])
    expect([...blobs.values()].map((bytes) => [...bytes])).toEqual([[0, 0, 0]])
  })

  it('leads back to the last message that is left, and to none where nothing is left', () => {
    const back = event('session.info', { infoType: 'rewind' })
    const other = event('session.info', { infoType: 'fork' })
    const { messages } = read(session(user('one'), assistant('1'), other, back, user('two')))
    expect(messages.map(({ event }) => event)).toEqual([undefined, undefined, 'rewound', undefined])
    expect(messages[2]!.to).toBe(messages[1]!.id)
    expect(said(livePath(messages))).toEqual(['user: one', 'assistant: 1', 'user: two'])
    expect(read(session(back, user('two'))).messages[0]!.to).toBeNull()
  })

  it('knows when the turn is over: after an answer without calls, an interruption, an error', () => {
    const settled = (...events: Event[]) => read(session(...events)).facts.settled
    const begin = (...events: Event[]) => {
      const bytes = session(...events)
      return copilot.reading.turnStart(bytes) === bytes.length
    }
    const cases: [Event[], boolean][] = [
      [[user('a')], false],
      [[user('a'), assistant('A')], true],
      [[user('a'), call('x')], false],
      [[user('a'), call('x'), result('x', 'X')], false],
      [[user('a'), assistant('A', { chunkIndex: 0, chunkCount: 2 })], false],
      [[user('a'), assistant('A', { chunkIndex: 1, chunkCount: 2 })], true],
      [[user('a'), event('abort')], true],
      [[user('a'), event('session.error')], true],
      [[user('a'), assistant('A'), user('in a subagent', { source: 'agent-x' })], true],
    ]
    for (const [events, over] of cases.slice(0, -1)) {
      expect(settled(...events)).toBe(over)
      expect(begin(...events)).toBe(over)
    }
    expect(begin(...cases.at(-1)![0])).toBe(true)
  })

  it('has what a subagent said by its call, although its events are among those of the person', () => {
    const agent = { agentId: idOf(90) }
    const { messages, subagents } = read(
      session(
        user('send'),
        call('t', 'task'),
        event('subagent.started', { toolCallId: 't' }, agent),
        { ...user('look around', { source: 'agent-s' }), ...agent },
        { ...assistant('I looked.'), ...agent },
        result('t', 'I looked.'),
        assistant('Back.'),
      ),
    )
    expect(said(messages)).toEqual(['user: send', 'assistant: ', 'tool: I looked.', 'assistant: Back.'])
    expect(said(subagents.t!)).toEqual(['user: look around', 'assistant: I looked.'])
  })

  it('has what a subagent said by its call, also where its events name only the call', () => {
    const within = { parentToolCallId: 't' }
    const bytes = session(
      user('send'),
      call('t', 'task'),
      event('subagent.started', { toolCallId: 't' }),
      assistant('I looked.', within),
      result('x', 'X', within),
      result('t', 'I looked.'),
      assistant('Back.'),
    )
    const { messages, subagents } = read(bytes)
    expect(said(messages)).toEqual(['user: send', 'assistant: ', 'tool: I looked.', 'assistant: Back.'])
    expect(said(subagents.t!)).toEqual(['assistant: I looked.', 'tool: X'])
    expect(copilot.reading.turnStart(bytes)).toBe(bytes.length)
  })

  it('must be read from its beginning where it goes on with a call or a subagent', () => {
    const { refersBack } = copilot.reading
    const started = event('tool.execution_start', { toolCallId: 'a', toolName: 'bash' })
    expect(refersBack!(session(user('one'), started, result('a', 'A')))).toBe(false)
    expect(refersBack!(session(user('one'), result('a', 'A')))).toBe(true)
    expect(refersBack!(session({ ...assistant('x'), agentId: idOf(9) }))).toBe(true)
  })

  it('keeps an event that nobody knows, and reads one that is written twice once', () => {
    const twice = { ...user('one'), id: idOf(7), timestamp: at(7) }
    const { messages, report } = read(session(event('session.of_tomorrow', { x: 1 }), ...[twice, twice]))
    expect(messages[0]).toMatchObject({ event: 'unknown', raw: { type: 'session.of_tomorrow' } })
    expect(said(messages.slice(1))).toEqual(['user: one'])
    expect(report.derived.records).toBe(1)
  })

  it('gives a message the same id in a fork', () => {
    const fixture = (name: string) => fixturesOf('copilot').find((one) => one.name === name)!.raw
    const [parent, child] = ['tui-after-compact', 'tui-fork'].map((name) =>
      copilot.reading.read(fixture(name)).messages.map(({ id }) => id),
    )
    expect(child!.slice(0, parent!.length)).toEqual(parent)
    expect(child!.length).toBeGreaterThan(parent!.length)
  })

  it('leaves our seed out, and goes on after it', () => {
    const text = copilot.launch.seed({
      nativeId: idOf(1),
      cwd: '/ws',
      command: 'workspace.plan',
      body: 'Plan.',
      args: 'It',
      context: 'HISTORY',
      recap: 'RECAP',
    })
    const seed = Buffer.from(text)
    const ids = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).id)
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/)
    const { messages, report } = read(Buffer.concat([seed, session(user('go on'))]))
    expect(said(messages)).toEqual(['user: go on'])
    expect(report.dropped['resume-context']).toEqual({ records: 3, bytes: seed.length })
  })
})

it('keeps the names of attached files whose bytes the session does not have', () => {
  const attachments = [{ type: 'file', path: 'src/roof.ts', displayName: '@roof.ts' }]
  const { messages } = read(session(user('Look', { attachments })))
  expect(messages[0]!.content).toEqual([
    { type: 'text', text: 'Look' },
    { type: 'file', name: 'roof.ts' },
  ])
})
