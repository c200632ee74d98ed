import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { kimi } from '../../../src/clients/kimi/index.ts'
import { sessionInFile } from '../../../src/journeys/importing/named-file.ts'
import { tempFolder } from '../../helpers/repository.ts'
import { fixturesOf } from '../fixtures.ts'

let at = 1780000000

function event(type: string, payload: object): string {
  at += 1.5
  return `${JSON.stringify({ timestamp: at, message: { type, payload } })}\n`
}

const call = (id: string, given: string) =>
  event('ToolCall', { id, function: { name: 'Shell', arguments: given } })
const more = (part: string) => event('ToolCallPart', { arguments_part: part })
const result = (id: string, fields: object) => event('ToolResult', { tool_call_id: id, return_value: fields })

function read(lines: string[], ended = false) {
  const raw = { nativeId: 'native', bytes: Buffer.from(lines.join('')), sideFiles: [], ended }
  return kimi.reading.read({ ...raw, readSideFile: () => undefined })
}

describe('the arguments of a call', () => {
  it('are complete when they are JSON, though results of other calls come between their parts', () => {
    const { messages, report } = read([
      event('StepBegin', { n: 1 }),
      call('a', '{"command":"one"}'),
      call('b', '{"comm'),
      result('a', { output: '1', message: '' }),
      more('and":'),
      more('"two"}'),
      result('b', { output: '2', message: '' }),
    ])
    expect(messages.map(({ role }) => role)).toEqual(['assistant', 'tool', 'tool'])
    expect(messages[0]!.tool_calls).toEqual([
      { id: 'a', name: 'Shell', arguments: { command: 'one' } },
      { id: 'b', name: 'Shell', arguments: { command: 'two' } },
    ])
    expect(report.unknown).toEqual({})
  })

  it('are kept as text where they end before they are complete', () => {
    const lines = [call('a', '{"command":"o'), more('ne')]
    const cut = [{ id: 'a', name: 'Shell', arguments: '{"command":"one' }]
    expect(read(lines).messages[0]!.tool_calls).toBeUndefined()
    expect(read(lines, true).messages[0]!.tool_calls).toEqual(cut)
    expect(read([...lines, result('a', {})]).messages[0]!.tool_calls).toEqual(cut)
    expect(read([...lines, event('StepInterrupted', {})]).messages[0]!.tool_calls).toEqual(cut)
  })
})

describe('a result', () => {
  it('has what the client says of it and what the tool said; images are attachments', () => {
    const url = `data:image/png;base64,${Buffer.from('PNG').toString('base64')}`
    const { messages, blobs } = read([
      result('a', { output: 'out', message: 'Command failed.', is_error: true }),
      result('b', { output: '', message: 'Done.' }),
      result('c', { output: { type: 'image_url', image_url: { url } }, message: 'Loaded.' }),
    ])
    expect(messages.map(({ content }) => content).slice(0, 2)).toEqual(['Command failed.\nout', 'Done.'])
    expect(messages[0]!.is_error).toBe(true)
    const [sha256] = blobs.keys()
    expect(messages[2]!.content).toEqual([
      { type: 'text', text: 'Loaded.' },
      { type: 'image', media_type: 'image/png', sha256 },
    ])
  })

  it('of a call that is not in the transcript stays, without a name', () => {
    expect(read([result('a', { output: 'x' })]).messages).toMatchObject([
      { tool_name: 'unknown', content: 'x' },
    ])
  })
})

it('one step is one answer, and a step without words says nothing', () => {
  const part = (fields: object) => event('ContentPart', fields)
  const { messages } = read([
    event('TurnBegin', { user_input: 'Go.' }),
    event('StepBegin', { n: 1 }),
    part({ type: 'think', think: 'First.' }),
    part({ type: 'text', text: 'One' }),
    part({ type: 'text', text: 'two.' }),
    event('StepBegin', { n: 2 }),
    event('StepBegin', { n: 3 }),
    part({ type: 'text', text: 'Three.' }),
    event('TurnEnd', {}),
  ])
  expect(messages.map(({ role, content, reasoning }) => [role, content, reasoning])).toEqual([
    ['user', 'Go.', undefined],
    ['assistant', 'One\ntwo.', 'First.'],
    ['assistant', 'Three.', undefined],
  ])
})

it('subagents that work at the same time are told apart, by the calls that started them', () => {
  const { raw } = fixturesOf('kimi').find(({ name }) => name === 'subagents-picture-compaction')!
  const { subagents, messages } = kimi.reading.read(raw)
  const told = Object.entries(subagents).map(([id, said]) => [id, ...said.map(({ role }) => role)])
  expect(told).toEqual([
    ['tool_11', 'user', 'assistant', 'tool', 'assistant'],
    ['tool_12', 'user', 'assistant'],
  ])
  expect(subagents.tool_11![1]!.tool_calls).toMatchObject([{ arguments: { command: 'ls | wc -l' } }])
  expect(messages.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
    [
      { type: 'text', text: 'Look at this picture' },
      expect.objectContaining({ type: 'image', media_type: 'image/png' }),
    ],
    'and the weather?',
  ])
})

it('what no rule knows is kept raw', () => {
  const { messages, report } = read([
    event('Weather', { sky: 'blue' }),
    event('ContentPart', { type: 'video_url' }),
    event('SubagentEvent', { event: { type: 'TurnBegin', payload: {} } }),
    event('SubagentEvent', { parent_tool_call_id: 'a', event: { type: 'Weather', payload: {} } }),
    more('lost'),
  ])
  expect(Object.keys(report.unknown).sort()).toEqual([
    'SubagentEvent',
    'ToolCallPart',
    'Weather',
    'part:video_url',
  ])
  expect(messages.map(({ event }) => event)).toEqual(Array(5).fill('unknown'))
  expect(messages[0]!.raw).toMatchObject({ message: { payload: { sky: 'blue' } } })
})

it.each([
  ['in the folder of its session has its id', '9f0c1d2e/wire.jsonl', '9f0c1d2e'],
  ['elsewhere has its own name as its id', 'elsewhere/copy.jsonl', 'copy'],
])('a file %s', (_, path, id) => {
  const file = join(tempFolder(), path)
  mkdirSync(dirname(file))
  writeFileSync(file, event('TurnBegin', { user_input: 'Hello' }))
  expect(sessionInFile('kimi', file).nativeId).toBe(id)
})
