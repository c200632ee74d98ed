import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { turnStart } from '../../../src/clients/opencode/read/index.ts'
import { livePath } from '../../../src/session/live-path.ts'
import { accounted, script } from '../claude/transcript.ts'
import { answer, bytesOf, done, message, read, SESSION, session, text, tool, user } from './transcript.ts'

describe('what a person said', () => {
  it('is the command as it was typed; body and note of the plugin are left out', () => {
    const typed = text('/workspace.brainstorm API', {
      ignored: true,
      metadata: { cortext: { command: 'workspace.brainstorm', arguments: 'API' } },
    })
    const parts = [typed, text('BODY', { synthetic: true }), text('NOTE', { synthetic: true })]
    const other = text('Review the file x.', { metadata: { cortext: { command: 'review', arguments: '' } } })
    expect(script(read([session(), user('msg_1', parts), user('msg_2', [other])]))).toEqual([
      'user: /workspace.brainstorm API',
      'user: /review',
    ])
  })

  it('is not the command of a hand-off, nor what the client says in their place', () => {
    const seed = text('/workspace.plan', { ignored: true, metadata: { cortext: { seed: true } } })
    const reading = read([
      session(),
      user('msg_1', [seed, text('CONTEXT', { synthetic: true })]),
      answer('msg_2', 'So we were at it.'),
      user('msg_3', [text('Continue if you have next steps', { synthetic: true })]),
    ])
    expect(script(reading)).toEqual(['assistant: So we were at it.'])
    expect(Object.keys(reading.report.dropped)).toEqual(['resume-context', 'client-note'])
  })

  it('keeps an image as an attachment, by content', () => {
    const url = `data:image/png;base64,${Buffer.from('PNG').toString('base64')}`
    const parts = [text('look'), { type: 'file', mime: 'image/png', filename: 'a.png', url }]
    const reading = read([session(), user('msg_1', parts)])
    const sha256 = createHash('sha256').update('PNG').digest('hex')
    expect(reading.messages[0]).toMatchObject({
      content: [
        { type: 'text', text: 'look' },
        { type: 'file', media_type: 'image/png', name: 'a.png', sha256 },
      ],
      attachments: [{ media_type: 'image/png', sha256, bytes: 3, name: 'a.png' }],
    })
    expect(Buffer.from(reading.blobs.get(sha256)!).toString()).toBe('PNG')
  })
})

describe('a message that comes again', () => {
  const running = tool('c1', 'bash', { status: 'running', input: { command: 'ls' } })
  const ran = tool('c1', 'bash', done({ command: 'ls' }, 'a.txt'))
  const early = answer('msg_2', [running], { finish: undefined })
  const late = answer('msg_2', [text('I look.'), ran], { finish: 'tool-calls' })

  it('takes what the later record adds, and keeps its place', () => {
    const reading = read([session(), user('msg_1', 'go'), early, late, answer('msg_3', 'One file.')])
    expect(script(reading)).toEqual([
      'user: go',
      'assistant: I look.',
      'tool bash: a.txt',
      'assistant: One file.',
    ])
    expect(reading.messages.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
    expect(reading.facts.settled).toBe(true)
  })

  it('is not a message of a later segment', () => {
    const records = [session(), user('msg_1', 'go'), early, late, user('msg_3', 'next')]
    const reading = read(records, { from: bytesOf(records.slice(0, 3)).length })
    expect(script(reading)).toEqual(['user: next'])
    expect(reading.report.derived.records).toBe(1)
    expect(reading.facts).toMatchObject({ title: 'A title', from: 'msg_3', to: 'msg_3' })
  })
})

describe('what happens to a session', () => {
  it('has a compaction as one event with its summary, and all that was said before it', () => {
    const reading = read([
      session(),
      user('msg_1', 'hello'),
      answer('msg_2', 'hi'),
      user('msg_3', [{ type: 'compaction', auto: true }]),
      answer('msg_4', 'We greeted.', { parentID: 'msg_3', summary: true, mode: 'compaction' }),
      user('msg_5', 'go on'),
    ])
    expect(script(reading)).toEqual(['user: hello', 'assistant: hi', 'compacted: ', 'user: go on'])
    expect(reading.messages[2]).toMatchObject({ event: 'compacted', summary: 'We greeted.' })
  })

  it('has what was taken back off the live path, and in the record', () => {
    const { messages } = read([
      session(),
      user('msg_1', 'one'),
      answer('msg_2', 'first'),
      user('msg_3', 'wrong'),
      answer('msg_4', 'lost'),
      { type: 'removed', id: 'msg_3', sessionID: SESSION },
      { type: 'removed', id: 'msg_4', sessionID: SESSION },
      user('msg_5', 'right'),
    ])
    expect(messages.map(({ event, content }) => event ?? content)).toEqual([
      'one',
      'first',
      'wrong',
      'lost',
      'rewound',
      'right',
    ])
    expect(livePath(messages).map(({ content }) => content)).toEqual(['one', 'first', 'right'])
  })

  it('goes back to before a segment, also where that is written before the first prompt', () => {
    const removed = ['msg_3', 'msg_4'].map((id) => ({ type: 'removed', id, sessionID: SESSION }))
    const records = [
      session(),
      user('msg_1', 'one'),
      answer('msg_2', 'first'),
      user('msg_3', 'wrong'),
      answer('msg_4', 'lost'),
      ...removed,
      session({ title: 'Another' }),
      user('msg_5', 'right'),
    ]
    const first = read(records, { to: bytesOf(records.slice(0, 5)).length }).messages
    for (const count of [5, 6, 7, 8]) {
      const second = read(records, { from: bytesOf(records.slice(0, count)).length }).messages
      expect(livePath([...first, ...second]).map(({ content }) => content)).toEqual(['one', 'first', 'right'])
      expect(second.map(({ id }) => id)).toEqual(
        read(records)
          .messages.map(({ id }) => id)
          .slice(4),
      )
    }
    const later = [...records.slice(0, 5), user('msg_5', 'also wrong'), ...removed, user('msg_6', 'right')]
    const { messages } = read(later, { from: bytesOf(later.slice(0, 5)).length })
    expect(livePath([...first, ...messages]).map(({ content }) => content)).toEqual(['one', 'first', 'right'])
  })

  it('keeps a subagent under the call that started it, and an interrupted or failed answer out', () => {
    const child = { sessionID: 'ses_child' }
    const task = tool('c1', 'task', done({ prompt: 'x' }, 'done', { metadata: { sessionId: 'ses_child' } }))
    const reading = read([
      session(),
      user('msg_1', 'go'),
      answer('msg_2', [task], { finish: 'tool-calls' }),
      { type: 'session', id: 'ses_child', info: { parentID: SESSION }, mcp: [] },
      user('msg_7', 'x', child),
      answer('msg_8', 'did it', child),
      answer('msg_3', [], { finish: undefined, error: { name: 'MessageAbortedError' } }),
      answer('msg_4', [], { finish: undefined, error: { name: 'APIError' } }),
    ])
    expect(script({ messages: reading.subagents.c1! })).toEqual(['user: x', 'assistant: did it'])
    expect(script(reading)).toEqual(['user: go', 'assistant: ', 'tool task: done'])
    expect(reading.report.dropped).toMatchObject({
      interruption: { records: 1 },
      'api-error': { records: 1 },
    })
    expect(reading.facts.settled).toBe(true)
  })

  it('has a file that was read without the instruction files that the client adds after it', () => {
    const file = '<content>\n1: # Notes\n2: </content>\n3: <system-reminder>\n\n(End of file)\n</content>'
    const added =
      '\n\n<system-reminder>\nInstructions from: /p/AGENTS.md\nAlways answer in verse.\n</system-reminder>'
    const reading = (metadata: object) =>
      read([
        session(),
        user('msg_1', 'read it'),
        answer('msg_2', [tool('c1', 'read', done({}, file + added, { metadata }))]),
      ])
    const loaded = reading({ loaded: ['/p/AGENTS.md'] })
    expect(loaded.messages[2]?.content).toBe(file)
    expect(loaded.report.dropped['system-text']?.bytes).toBe(JSON.stringify(added).length - 2)
    expect(accounted(loaded.report)).toBe(loaded.report.bytes)
    expect(reading({ loaded: [] }).messages[2]?.content).toBe(file + added)
  })

  it('calls the tools of MCP servers by the name that all clients share (S0-D3k)', () => {
    const call = tool('c1', 'my_probe_save_note', done({}, 'ok'))
    const reading = read([session({}, ['my', 'my_probe']), answer('msg_1', [call])])
    expect(reading.messages[0]?.tool_calls?.[0]?.name).toBe('mcp__my_probe__save_note')
    expect(reading.facts.mcpTools).toEqual(['mcp__my_probe__save_note'])
  })

  it('keeps raw what no rule knows', () => {
    const reading = read([
      session(),
      answer('msg_1', [text('hi'), { type: 'hologram', data: 1 }]),
      message('msg_2', 'robot', [text('beep')]),
      { type: 'future', id: 'x', a: 1 },
    ])
    const raw = reading.messages.filter(({ event }) => event === 'unknown').map((event) => event.raw)
    expect(raw).toMatchObject([{ type: 'hologram', data: 1 }, { info: { role: 'robot' } }, { a: 1 }])
    expect(Object.keys(reading.report.unknown)).toEqual(['role', 'record'])
  })
})

describe('the turn that is running', () => {
  const records = [session(), user('msg_1', 'one'), answer('msg_2', 'first')]
  const end = (list: readonly object[]) => bytesOf(list).length

  it('begins at the end when every prompt has its answer', () => {
    expect(turnStart(bytesOf(records))).toBe(end(records))
    expect(turnStart(new Uint8Array())).toBe(0)
  })

  it('begins at the last prompt while the agent works', () => {
    const child = user('msg_9', 'x', { sessionID: 'ses_child' })
    const step = answer('msg_4', [], { finish: 'tool-calls' })
    expect(turnStart(bytesOf([...records, user('msg_3', 'two'), step, child]))).toBe(end(records))
  })
})
