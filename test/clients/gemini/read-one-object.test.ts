import { describe, expect, it } from 'vitest'
import { read } from './transcript.ts'

const messages = [
  { id: 'u', timestamp: '2026-01-01T10:00:00.000Z', type: 'user', content: 'hello' },
  { id: 'a', timestamp: '2026-01-01T10:00:01.000Z', type: 'gemini', content: 'hi', model: 'm' },
]
const session = { sessionId: 'native', projectHash: 'x', summary: 'A title', messages }
const bytes = Buffer.from(JSON.stringify(session, undefined, 2))

describe('a session file of older versions, one JSON object', () => {
  it.each([
    ['over many lines', bytes],
    ['in one', Buffer.from(`${JSON.stringify(session)}\n`)],
  ])('is read %s as the same messages as the present format gives', (_, old) => {
    const { messages: said, facts, report } = read(old)
    const now = read([{ sessionId: 'native', projectHash: 'x' }, ...messages])
    expect(said.map(({ id, role, content }) => [id, role, content])).toEqual(
      now.messages.map(({ id, role, content }) => [id, role, content]),
    )
    expect(facts).toMatchObject({ title: 'A title', model: 'm', settled: true })
    expect(report).toMatchObject({ bytes: old.length, kept: { records: 1, bytes: old.length } })
  })

  it.each([
    ['behind its messages', bytes.length - 1, 2],
    ['in its last message', bytes.length - 30, 1],
    ['in its first message', bytes.indexOf('hello'), 0],
  ])(
    'is read as far as it goes when it is cut %s, and the rest is reported as unreadable',
    (_, to, count) => {
      const { messages: said, report } = read(bytes.subarray(0, to))
      expect(said).toEqual(read(bytes).messages.slice(0, count))
      expect(report.unreadable).toHaveLength(1)
      expect(report.kept.bytes + report.unreadable[0]!.bytes + (count === 0 ? report.derived.bytes : 0)).toBe(
        to,
      )
    },
  )

  it('is unreadable when it is cut before its messages begin', () => {
    const { messages: said, report } = read(bytes.subarray(0, bytes.indexOf('"messages"')))
    expect(said).toEqual([])
    expect(report.unreadable.length).toBeGreaterThan(0)
  })

  it('may begin with a byte order mark', () => {
    expect(read(Buffer.concat([Buffer.from('\ufeff'), bytes])).messages).toHaveLength(2)
  })

  it('gives nothing for a segment after its end', () => {
    expect(read(bytes, { from: bytes.length }).messages).toEqual([])
  })
})

describe('an output that the client cut for the model', () => {
  const cut =
    'Output too large. Showing first 8,000 and last 32,000 characters. For full output see: /h/.gemini/tmp/p/tool-outputs/session-native/run_1.txt\nhead\n\n... [9 characters omitted] ...\n\ntail'
  const part = { functionResponse: { id: 'c', name: 'run', response: { output: cut } } }
  const toolCalls = [{ id: 'c', name: 'run', args: {}, result: [part] }]
  const records = [
    { sessionId: 'native', projectHash: 'x' },
    { id: 'a', type: 'gemini', content: 'so', toolCalls },
  ]

  it('is whole where its file is there, and as the model saw it where not', () => {
    const files = { 'outputs/run_1.txt': Buffer.from('all of it') }
    expect(read(records, { files }).messages[1]).toMatchObject({ role: 'tool', content: 'all of it' })
    expect(read(records).messages[1]).toMatchObject({ role: 'tool', content: cut })
  })

  it('gets its middle from what was shown on the screen, only where that fits to the character', () => {
    const lines = Array.from({ length: 2000 }, (_, n) => `line ${n % 7 === 0 ? 'again' : n}`).join('\n')
    const wrapped = `<untrusted_context>\nOutput: ${lines}\n</untrusted_context>`
    const omitted = wrapped.length - 3000
    const told = `${cut.split('\n')[0]}\n${wrapped.slice(0, 1000)}\n\n... [${omitted.toLocaleString('en-US')} characters omitted] ...\n\n${wrapped.slice(-2000)}`
    const shownAs = (resultDisplay: string) => {
      const result = [{ functionResponse: { id: 'c', name: 'run', response: { output: told } } }]
      const answer = {
        id: 'a',
        type: 'gemini',
        content: 'so',
        toolCalls: [{ ...toolCalls[0], result, resultDisplay }],
      }
      return read([records[0]!, answer]).messages[1]?.content
    }
    expect(shownAs(lines)).toBe(wrapped)
    expect(shownAs(lines.replace('line 500\n', ''))).toBe(told)
    expect(shownAs('Command was cancelled.')).toBe(told)
  })
})
