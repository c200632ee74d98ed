import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { accounted, read, recordsOf, SAMPLES, sample, script } from './transcript.ts'

describe.each(SAMPLES)('the real transcript %s', (name) => {
  const bytes = sample(name)
  const reading = read(bytes)

  it('is accounted for to the byte, with nothing unknown or unreadable', () => {
    expect(reading.report.bytes).toBe(bytes.length)
    expect(accounted(reading.report)).toBe(bytes.length)
    expect(reading.report.unknown).toEqual({})
    expect(reading.report.unreadable).toEqual([])
  })

  it('has every text that the person and the model said once and in order (S2-3, S1-001j)', () => {
    const said = reading.messages
      .filter((message) => message.role === 'user' || message.role === 'assistant')
      .map((message) => message.content as string)
      .filter((content) => content !== '' && !/^[/!]/.test(content))
    expect(said).toEqual(textsIn(bytes))
  })

  it('has every tool call with its result (S3-W1)', () => {
    const calls = reading.messages.flatMap((message) => message.tool_calls ?? [])
    const results = reading.messages.filter((message) => message.tool_call_id !== undefined)
    expect(results.map((message) => message.tool_call_id).sort()).toEqual(calls.map(({ id }) => id).sort())
    for (const result of results)
      expect(result.tool_name).toBe(calls.find(({ id }) => id === result.tool_call_id)?.name)
  })

  it('is a line of talk without a rewind, in the order of the file', () => {
    expect(reading.messages.filter((message) => message.event === 'rewound')).toEqual([])
    const seqs = reading.messages.map((message) => message.seq!)
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b))
    const ids = new Set(reading.messages.map((message) => message.id))
    expect(ids.size).toBe(reading.messages.length)
    for (const { parent_id } of reading.messages.slice(1)) expect(ids).toContain(parent_id)
  })
})

/** By hand, from the records: plain prompts, and text blocks of a real model. */
function textsIn(bytes: Uint8Array): string[] {
  return recordsOf(bytes).flatMap((record) => {
    const { content, model } = record.message ?? {}
    if (record.type === 'user' && !record.isMeta && !record.isCompactSummary && typeof content === 'string')
      return content.startsWith('<') ? [] : [content]
    if (record.type === 'assistant' && model !== '<synthetic>' && Array.isArray(content))
      return content.filter(({ type }) => type === 'text').map(({ text }) => text)
    return []
  })
}

describe('what a transcript becomes', () => {
  it('has one message for the lines of one API message, and both results of parallel tools', () => {
    const { messages } = read(sample('headless-main-1111'))
    const at = messages.findIndex(({ content }) => content === 'Two tools.')
    const [asked, answered, first, second, final] = messages.slice(at - 1)
    const uuid = 'd4331767-162b-4c05-8db4-a77b9d190692'
    expect(answered).toEqual({
      id: createHash('sha256').update(`claude\0${uuid}`).digest('hex').slice(0, 32),
      role: 'assistant',
      content: 'Two tools.',
      timestamp: '2026-11-21T20:29:21.941Z',
      client: 'claude',
      parent_id: asked?.id,
      native_id: uuid,
      native_session: 'native',
      seq: 27,
      reasoning: 'mock thinking about it',
      tool_calls: [
        { id: 'toolu_mock_0006_r', name: 'Read', arguments: { file_path: '/home/dev/proj/hello.txt' } },
        {
          id: 'toolu_mock_0006_b',
          name: 'Bash',
          arguments: { command: 'ls -la', description: 'mock command' },
        },
      ],
      model: 'claude-opus-4-8',
      tokens: 26,
    })
    expect(first).toMatchObject({
      role: 'tool',
      tool_name: 'Read',
      content: '1\talpha\n2\tbeta\n3\tgamma\n4\t',
    })
    expect(second).toMatchObject({ role: 'tool', tool_name: 'Bash', parent_id: answered?.id })
    expect(final).toMatchObject({ role: 'assistant', parent_id: second?.id })
  })

  it('separates the answers to which a server gave one id (msg_mock_0011 and _0014 occur twice)', () => {
    const { messages } = read(sample('headless-main-1111'))
    expect(messages.filter(({ role }) => role === 'assistant')).toHaveLength(20)
  })

  it('has the compaction as one event with its summary, and no rewind there', () => {
    const { messages } = read(sample('headless-main-1111'))
    const event = messages.find((message) => message.event === 'compacted')
    expect(event).toMatchObject({ role: 'system', content: '', seq: 80 })
    expect(event?.summary).toMatch(/^This session is being continued from a previous conversation/)
    expect(messages.find(({ parent_id }) => parent_id === event?.id)?.content).toBe(
      '/compact keep the greetings',
    )
  })

  it('has commands as they were typed, without their bodies, and the shell mode with its output', () => {
    expect(
      script(read(sample('tui-before-rewind'))).filter((line) => /^user: [/!]|bash-mode/.test(line)),
    ).toEqual([
      'user: /workspace.brainstorm topic from argv',
      'user: /workspace.resume foo bar',
      'user: /workspace.noallow zoo',
      'user: ! echo bashmode-out',
      'tool bash-mode: bashmode-out',
    ])
  })

  it('keeps a command that the client refused: those words are nowhere else', () => {
    const reading = read(sample('slash-permission-denied'))
    expect(script(reading)).toEqual(['user: /workspace.resume x; touch /home/dev/log/PWNED1'])
    expect(reading.facts.settled).toBe(false)
  })

  it('leaves out what a hook put in front of the model, by name and count', () => {
    const { report } = read(sample('sessionstart-hook-context'))
    expect(report.dropped['hook-output']).toEqual({ records: 2, bytes: 21557 })
  })

  it('leaves out every record with our own key', () => {
    const bytes = sample('with-cortext-key')
    const reading = read(bytes)
    expect(reading.messages).toEqual([])
    expect(reading.report.dropped).toEqual({ 'resume-context': { records: 7, bytes: bytes.length } })
  })

  it('has the facts of the session', () => {
    expect(read(sample('tui-before-rewind')).facts).toEqual({
      model: 'claude-opus-4-8',
      mcpTools: [],
      calledToolsOnly: true,
      title: 'Mock title 3',
      cwd: '/home/dev/proj-t',
      clientVersion: '2.1.197',
      from: '3320a554-4dff-4262-9853-a118da34998e',
      to: '42534e14-375a-4a5b-b30c-b64bcb29b86b',
      settled: true,
    })
  })
})
