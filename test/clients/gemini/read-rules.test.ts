import { describe, expect, it } from 'vitest'
import { turnStart } from '../../../src/clients/gemini/read/index.ts'
import { lineStarts } from '../readings.ts'
import { bytesOf, read, script } from './transcript.ts'

const HEADER = { sessionId: 'native', projectHash: 'x', kind: 'main' }
const user = (id: string, text: string, more: object = {}) => ({
  id,
  type: 'user',
  content: [{ text }],
  ...more,
})
const answer = (id: string, content: unknown, more: object = {}) => ({ id, type: 'gemini', content, ...more })
const list = (...messages: object[]) => ({ $set: { messages } })
const response = (id: string, output: string) => ({
  functionResponse: { id, name: 'read_file', response: { output } },
})
const call = (id: string, result?: object) => ({
  id,
  name: 'read_file',
  args: {},
  ...(result && { result: [result] }),
})

describe('what a record becomes', () => {
  it('an answer has its richest form, whatever a later list has of it', () => {
    const { messages } = read([
      HEADER,
      user('u', 'hello'),
      answer('a', 'a long answer', {
        model: 'm',
        thoughts: [{ subject: 'S', description: 'D' }],
        tokens: { output: 9 },
      }),
      list(user('u', 'hello'), answer('a', [{ text: 'cut' }])),
    ])
    expect(messages[1]).toMatchObject({ content: 'a long answer', model: 'm', reasoning: 'S: D', tokens: 9 })
    expect(messages).toHaveLength(2)
  })

  it('what only a list says is kept, calls and their results among it', () => {
    const { messages, report } = read([
      HEADER,
      list(
        user('u', 'hello'),
        answer('a', [
          { text: 'I ' },
          { text: 'read.' },
          { functionCall: { id: 'c', name: 'mcp_s_t', args: { x: 1 } } },
        ]),
        { id: 'a', type: 'user', content: [response('c', 'found')] },
      ),
    ])
    expect(script({ messages })).toEqual(['user: hello', 'assistant: I read.', 'tool: found'])
    expect(messages[1]?.tool_calls).toEqual([{ id: 'c', name: 'mcp__s__t', arguments: { x: 1 } }])
    expect(report.kept.records).toBe(1)
  })

  it('a result is there once, and at its first place', () => {
    const reading = read([
      HEADER,
      user('u', 'hello'),
      answer('a', 'Reading.', { toolCalls: [call('c', response('c', 'found'))] }),
      { id: 'r', type: 'user', content: [response('c', 'found')] },
      answer('b', 'Found.'),
    ])
    expect(script(reading)).toEqual([
      'user: hello',
      'assistant: Reading.',
      'tool: found',
      'assistant: Found.',
    ])
    expect(reading.report.derived.records).toBe(1)
  })

  it('a result without its call is kept all the same', () => {
    const { messages } = read([HEADER, { id: 'r', type: 'user', content: [response('c', 'found')] }])
    expect(messages).toMatchObject([{ role: 'tool', tool_call_id: 'c', content: 'found' }])
  })

  it('the same words said twice are two messages', () => {
    const said = [user('1', 'yes'), answer('2', 'ok'), user('3', 'yes'), answer('4', 'ok')]
    expect(script(read([HEADER, ...said]))).toEqual([
      'user: yes',
      'assistant: ok',
      'user: yes',
      'assistant: ok',
    ])
  })

  it('a rewind goes back to what came before the message that it names, also by its new id', () => {
    const { messages } = read([
      HEADER,
      user('1', 'first'),
      answer('2', 'one'),
      user('3', 'second'),
      answer('4', 'two'),
      list(user('5', '<state_snapshot>s'), answer('6', 'Got it.'), user('7', 'second'), answer('8', 'two')),
      { $rewindTo: '8' },
    ])
    const second = messages.find(({ content }) => content === 'second')
    expect(messages.at(-1)).toMatchObject({ event: 'rewound', to: second?.id })
    expect(messages.filter(({ content }) => content === 'second')).toHaveLength(1)
  })

  it('a rewind goes back to before a segment, also where it is written before the first prompt', () => {
    const records = [
      HEADER,
      user('1', 'first'),
      answer('2', 'one'),
      user('3', 'second'),
      answer('4', 'two'),
      user('5', '/workspace.stop-conversation'),
      answer('6', 'Session saved.'),
      user('7', 'wrong'),
      answer('8', 'lost'),
      { $rewindTo: '7' },
      user('9', 'third'),
    ]
    const second = read(records).messages.find(({ content }) => content === 'two')
    for (const count of [9, 10]) {
      const { messages } = read(records, { from: bytesOf(records.slice(0, count)).length })
      expect(messages.map(({ event, content }) => event ?? content)).toEqual(['rewound', 'third'])
      expect(messages[0]?.to).toBe(second?.id)
    }
    // Where nothing was said since, there is nothing to tell.
    expect(read(records, { from: bytesOf(records.slice(0, 10)).length, to: 0 }).messages).toEqual([])
  })

  it('an image is an attachment', () => {
    const data = Buffer.from('png').toString('base64')
    const parts = [{ text: 'see' }, { inlineData: { data, mimeType: 'image/png' } }]
    const { messages, blobs } = read([HEADER, { id: 'u', type: 'user', content: parts }])
    expect(messages[0]?.attachments).toMatchObject([{ media_type: 'image/png', bytes: 3 }])
    expect([...blobs.values()].map((bytes) => Buffer.from(bytes).toString())).toEqual(['png'])
  })

  it('what no rule knows is kept raw', () => {
    const odd = [{ type: 'new-kind', id: 'x' }, { hello: 1 }, { $set: { newKey: 2 } }]
    const { messages, report } = read([HEADER, ...odd])
    expect(messages.map(({ event, raw }) => [event, raw])).toEqual([
      ['unknown', odd[0]],
      ['unknown', odd[1]],
      ['unknown', { newKey: 2 }],
    ])
    expect(Object.keys(report.unknown).sort()).toEqual(['$set:newKey', 'new-kind', 'no-type'])
  })

  it('an id that is not a UUID is unique only within its session', () => {
    const said = [HEADER, user('m1', 'hello')]
    const [one, two] = ['a', 'b'].map((nativeId) => read(said, { nativeId }).messages[0]?.id)
    expect(one).not.toBe(two)
  })
})

describe('where the running turn begins', () => {
  const at = (...records: object[]) => {
    const bytes = bytesOf([HEADER, ...records])
    return lineStarts(bytes).indexOf(turnStart(bytes))
  }

  it('is at the last prompt that has no final answer, else at the end', () => {
    const tool = answer('a', 'Reading.', { toolCalls: [call('c', response('c', 'x'))] })
    expect(at(user('u', 'hello'))).toBe(1)
    expect(at(user('u', 'hello'), answer('a', ''))).toBe(1)
    expect(
      at(user('u', 'hello'), answer('a', 'Reading.'), tool, {
        id: 'r',
        type: 'user',
        content: [response('c', 'x')],
      }),
    ).toBe(1)
    expect(at(user('u', 'hello'), tool, answer('b', 'Done.'))).toBe(4)
    expect(at()).toBe(1)
  })
})

describe('what an editor has put around a prompt (12/2025)', () => {
  const file = 'Current File Path:\n```markdown\nc:\\birds\\README.md\n```'
  const selection = 'Current Selection:\n```ts\nfoo()\n\nbar()\n```'
  const list = 'User Selected Files:\n- c:\\a.md\n- c:\\b.md'
  const nested = 'Current Selection:\n```markdown\nSee:\n```ts\nfoo()\n```\n\nand more\n```'
  const history = ' PRIOR CHAT HISTORY: paint it \n\nPainted.'
  it.each([
    ['behind it', `draw the roof\n${file}\n\n`, file],
    ['before it', `${file}\n\ndraw the roof`, file],
    ['with a list of files', `draw the roof\n${file}\n\n\n${list}\n`, `${file}\n\n\n${list}`],
    ['with a list alone', `draw the roof\n${list}\n`, list],
    ['with fences inside', `draw the roof\n${file}\n\n${nested}\n`, `${file}\n\n${nested}`],
    ['with an earlier talk', `draw the roof\n${file}\n\n\n${history}\n`, `${file}\n\n\n${history}`],
    ['twice', `draw the roof\n${selection}\n${file}\n`, `${selection}\n${file}`],
  ])('is no word of the person, and stays behind the prompt: %s', (_, content, editor) => {
    const { messages } = read([HEADER, user('u', content)])
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'draw the roof'],
      ['tool', editor],
    ])
    expect(messages[1]).toMatchObject({ tool_name: 'editor-selection' })
  })

  it('is what the person said if they said nothing else', () => {
    expect(read([HEADER, user('u', file)]).messages).toMatchObject([{ role: 'user', content: file }])
  })

  it('does not have the labels of a person', () => {
    const report = 'It is wrong.\nCurrent Behavior:\n```\nred\n```\nExpected Behavior:\n```\ngreen\n```'
    expect(script(read([HEADER, user('u', report)]))).toEqual([`user: ${report}`])
  })

  it('is no prompt where the client asks the model to go on', () => {
    expect(script(read([HEADER, user('u', 'System: Please continue.')]))).toEqual([])
  })

  it('takes time that grows with its length', () => {
    const content = `${`${selection}\n`.repeat(5000)}go on\n${`${selection} x\n`.repeat(5000)}`
    expect(read([HEADER, user('u', content)]).messages[0]?.content).toMatch(/^go on/)
  })
})
