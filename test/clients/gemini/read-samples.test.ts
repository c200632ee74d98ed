import { describe, expect, it } from 'vitest'
import { livePath } from '../../../src/session/live-path.ts'
import { accounted, read, recordsOf, SAMPLES, sample, script } from './transcript.ts'

describe.each(SAMPLES)('the real session file %s', (name) => {
  const bytes = sample(name)
  const reading = read(bytes)

  it('is accounted for to the byte, with nothing unknown or unreadable', () => {
    expect(accounted(reading.report)).toBe(bytes.length)
    expect(reading.report.unknown).toEqual({})
    expect(reading.report.unreadable).toEqual([])
  })

  it('has every answer of the model once and in order, whole (S2-3, S1-001j)', () => {
    const said = reading.messages.filter(({ role }) => role === 'assistant').map(({ content }) => content)
    expect(said).toEqual(answersIn(bytes))
  })

  it('has every tool call with its result, once (S3-W1)', () => {
    const calls = reading.messages.flatMap((message) => message.tool_calls ?? [])
    const results = reading.messages.filter((message) => message.tool_call_id !== undefined)
    expect(results.map((message) => message.tool_call_id)).toEqual(calls.map(({ id }) => id))
    for (const result of results)
      expect(result.tool_name).toBe(calls.find(({ id }) => id === result.tool_call_id)?.name)
  })

  it('keeps nothing that the client and our hooks added', () => {
    // The models of the recordings repeat in their answers what they were sent.
    const text = JSON.stringify(reading.messages.filter(({ role }) => role !== 'assistant'))
    for (const mark of ['<session_context>', '<hook_context>', 'CORTEXT-SEED'])
      expect(text).not.toContain(mark)
  })
})

/** By hand, from the records that are written while the model answers. */
function answersIn(bytes: Uint8Array): string[] {
  const answers = recordsOf(bytes).filter(({ type, id }) => type === 'gemini' && !id.startsWith('cortext-'))
  return [...new Map(answers.map(({ id, content }) => [id, content])).values()]
}

describe('a session of several turns that was resumed six times within one minute', () => {
  it('has what was typed, once', () => {
    const reading = read(sample('headless-resumed'))
    expect(script(reading).filter((line) => line.startsWith('user:'))).toEqual([
      'user: First plain turn',
      'user: Second turn [THINK] about it',
      'user: Please [READ notes.txt]',
      'user: Run [SHELL cortext resume fromtool]',
      'user: Run [SHELL cortext resume fromtool]',
      'user: /workspace.brainstorm cats',
      'user: Run [SHELL cortext resume t2]',
    ])
  })

  it('keeps thoughts, tokens and the model, which later copies in the file lack', () => {
    const { messages, facts } = read(sample('headless-resumed'))
    const thought = messages.find(({ reasoning }) => reasoning !== undefined)
    expect(thought).toMatchObject({
      reasoning: 'Considering the question: I weigh the options first.',
      model: 'gemini-3.8-flash',
      content: 'Mock reply (history=3 contents) to: Second turn [THINK] about it',
    })
    expect(thought?.tokens).toBeGreaterThan(0)
    expect(facts).toMatchObject({ model: 'gemini-3.8-flash', title: 'I will read that file.', settled: true })
  })

  it('marks the tools that failed', () => {
    const { messages } = read(sample('headless-resumed'))
    const tools = messages.filter(({ role }) => role === 'tool')
    expect(tools.map(({ is_error }) => is_error === true)).toEqual([false, true, false, false])
    expect(tools[0]).toMatchObject({ tool_name: 'read_file', content: 'hello from notes\n' })
  })
})

describe('a session in the terminal that was rewound, and resumed in a later minute', () => {
  const reading = read(sample('tui-rewound-resumed'))

  it('keeps what was taken back, off the live path', () => {
    expect(script(reading)).toEqual([
      'user: Hello, let us plan a garden',
      'assistant: Scripted answer 1.',
      'user: please read notes.txt',
      'assistant: I will read that file.',
      'tool: hello from notes\n',
      'assistant: It says hello.',
      'user: think hard about it',
      'assistant: Thought about.',
      'user: /workspace.brainstorm tomatoes & "quotes"  two',
      'assistant: Scripted answer 5.',
      'user: this will be taken back',
      'assistant: Scripted answer 6.',
      'rewound: ',
      'user: said instead',
      'assistant: Scripted answer 7.',
      'user: !echo shelled',
      'tool: shelled',
      'user: after compress',
      'assistant: Scripted answer 8.',
      'user: one more',
      'assistant: Scripted answer 9.',
    ])
    const live = script({ messages: livePath(reading.messages) })
    expect(live).not.toContain('user: this will be taken back')
    expect(live).not.toContain('assistant: Scripted answer 6.')
    expect(live).toHaveLength(18)
  })
})

describe('hook contexts', () => {
  it('are taken out, and the words next to them stay', () => {
    expect(script(read(sample('hook-contexts')))).toEqual([
      'user: Hi [READ notes.txt]',
      'assistant: I will read that file.',
      'tool: hello from notes\n',
      expect.stringContaining('assistant: Final answer after tool'),
      'user: second',
      'assistant: Mock reply (history=5 contents) to: second',
    ])
  })
})

describe('a subagent', () => {
  it('is read from its own file, by the call that started it', () => {
    const files = { '2d2ae706-7cb1-410e-880b-0ce522eb606a.jsonl': sample('subagent-child') }
    const { subagents } = read(sample('subagent-parent'), { files })
    expect(Object.keys(subagents)).toEqual(['invoke_agent__invoke_agent_1795293993649_0'])
    expect(Object.values(subagents)[0]).toHaveLength(4)
  })
})

describe('a session that came from our seed and was compressed twice', () => {
  const reading = read(sample('tui-seeded-compressed'))

  it('has each turn once, whatever the client wrote again, and nothing of the seed', () => {
    const turns = Array.from({ length: 6 }, (_, n) => [
      `user: Turn number ${n + 2} ${'words '.repeat(12)}`.trim(),
      `assistant: Scripted answer ${n + 2}.`,
    ])
    expect(script(reading).map((line) => line.trim())).toEqual([
      'user: go on @notes.txt please',
      'assistant: Scripted answer 1.',
      ...turns.flat(),
      'compacted:',
      'user: after compress',
      'assistant: Scripted answer 8.',
      'user: yes',
      'assistant: Scripted answer 9.',
      'user: yes',
      'assistant: Scripted answer 10.',
      'compacted:',
      'user: after second compress',
      'assistant: Scripted answer 11.',
    ])
    expect(reading.report.dropped['resume-context']).toBeDefined()
  })

  it('keeps the summaries with which the model continued', () => {
    const events = reading.messages.filter(({ event }) => event === 'compacted')
    for (const { summary } of events) expect(summary).toContain('A scripted snapshot.')
  })

  it('has no word of what was deleted before it was compressed, and all that was said since', () => {
    const bytes = Buffer.from(sample('tui-seeded-compressed'))
    const end = bytes.indexOf(
      '\n',
      bytes.lastIndexOf('Scripted answer 6.', bytes.indexOf('<state_snapshot>')),
    )
    const blanked = read(bytes.map((byte, at) => (at < end && byte !== LINE_BREAK ? BLANK : byte)))
    const said = script(reading)
    expect(script(blanked)).toEqual(said.slice(said.indexOf('assistant: Scripted answer 6.') + 1))
  })
})

const BLANK = 0xff
const LINE_BREAK = 0x0a
