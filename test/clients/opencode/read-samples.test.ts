import { describe, expect, it } from 'vitest'
import { accounted, script } from '../claude/transcript.ts'
import { read, recordsOf, SAMPLES, sample } from './transcript.ts'

describe.each(SAMPLES)('the real transcript %s', (name) => {
  const bytes = sample(name)
  const reading = read(bytes)

  it('is accounted for to the byte, with nothing unknown or unreadable', () => {
    expect(reading.report.bytes).toBe(bytes.length)
    expect(accounted(reading.report)).toBe(bytes.length)
    expect(reading.report.unknown).toEqual({})
    expect(reading.report.unreadable).toEqual([])
  })

  it('has every tool call with its result (S3-W1)', () => {
    const calls = reading.messages.flatMap((message) => message.tool_calls ?? [])
    const results = reading.messages.filter((message) => message.role === 'tool')
    expect(results.map((message) => message.tool_call_id)).toEqual(calls.map(({ id }) => id))
    expect(results.map((message) => message.tool_name)).toEqual(calls.map(({ name }) => name))
  })
})

describe('what a transcript becomes', () => {
  const bytes = sample('headless-1.18.33')
  const reading = read(bytes)

  it('has every text that the person and the model said once and in order (S2-3, S1-001j)', () => {
    const texts = recordsOf(bytes).flatMap(({ parts = [] }) =>
      // biome-ignore lint/suspicious/noExplicitAny: a foreign format.
      parts.filter((part: any) => part.type === 'text' && !part.synthetic).map((part: any) => part.text),
    )
    const said = reading.messages.filter(({ role }) => role === 'user' || role === 'assistant')
    expect(
      said.flatMap(({ content }) => (typeof content === 'string' ? [content] : textsIn(content))),
    ).toEqual(texts)
  })

  it('has one message a step, with reasoning, tool calls, the model and its tokens', () => {
    const at = reading.messages.findIndex(({ tool_name }) => tool_name === 'edit')
    expect(reading.messages[at - 1]).toMatchObject({
      role: 'assistant',
      content: 'I will call edit.',
      timestamp: expect.stringMatching(/^2026-11-21T/),
      model: 'mock/mock-1',
      tokens: expect.any(Number),
      tool_calls: [{ name: 'edit', arguments: { filePath: '/home/dev/proj/notes.txt' } }],
    })
    expect(reading.messages[at]).toMatchObject({ role: 'tool', content: 'Edit applied successfully.' })
    expect(reading.messages.filter(({ reasoning }) => reasoning !== undefined)).toHaveLength(2)
  })

  it('distinguishes a failed tool from one that worked', () => {
    const failed = reading.messages.filter(({ is_error }) => is_error).map(({ content }) => String(content))
    expect(failed.map((content) => content.slice(0, 40))).toEqual([
      expect.stringMatching(/^AGENT=1/),
      'File not found: /home/dev/proj/missing.t',
      'The user rejected permission to use this',
    ])
  })

  it('names an attached file and leaves out what the client read from it', () => {
    const given = reading.messages.find(({ content }) => Array.isArray(content))
    expect(given?.content).toEqual([
      { type: 'file', media_type: 'text/plain', name: 'notes.txt', url: 'file:///home/dev/proj/notes.txt' },
      { type: 'text', text: 'see the attached file\n' },
    ])
  })

  it('has the facts of the session', () => {
    expect(reading.facts).toEqual({
      model: 'mock/mock-1',
      mcpTools: [],
      calledToolsOnly: true,
      title: 'Mock Title 1',
      cwd: '/home/dev/proj',
      clientVersion: '1.18.33',
      from: expect.stringMatching(/^msg_/),
      to: expect.stringMatching(/^msg_/),
      // It ends with a tool that was rejected, and no answer to it.
      settled: false,
    })
    expect(script(reading)[0]).toBe('user: "Hello mock, first turn"')
  })
})

function textsIn(content: { type: string; text?: unknown }[]): unknown[] {
  return content.filter(({ type }) => type === 'text').map(({ text }) => text)
}
