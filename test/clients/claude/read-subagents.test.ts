import { describe, expect, it } from 'vitest'
import type { Message } from '../../../src/session/schema.ts'
import { accounted, answer, call, read, record, result, script, text, user } from './transcript.ts'

const told = { prompt: 'look around', description: 'd' }
const main = [
  user('u1', null, 'go'),
  answer('a1', 'u1', 'm1', call('t1', 'Agent', told), { stop_reason: 'tool_use' }),
]
const back = user('r1', 'a1', result('t1', 'found it'), { toolUseResult: { agentId: 'abc' } })
const side = (uuid: string, parent: string | null) => ({
  isSidechain: true,
  agentId: 'abc',
  uuid,
  parentUuid: parent,
})
const thread = [
  { ...user('s1', null, 'look around'), ...side('s1', null) },
  { ...answer('s2', 's1', 'n1', call('t9', 'Read'), { stop_reason: 'tool_use' }), ...side('s2', 's1') },
  { ...user('s3', 's2', result('t9', 'file')), ...side('s3', 's2') },
  { ...answer('s4', 's3', 'n2', text('found it')), ...side('s4', 's3') },
]
const jsonl = (records: object[]) => records.map((one) => `${JSON.stringify(one)}\n`).join('')
const spoken = ['user: look around', 'assistant: ', 'tool Read: file', 'assistant: found it']
const said = (messages: Message[] = []) => script({ messages })

describe('what a subagent says', () => {
  it('is linked by the meta file to the call that started it', () => {
    const files = {
      'subagents/agent-abc.jsonl': jsonl(thread),
      'subagents/agent-abc.meta.json': '{\n  "agentType": "general-purpose",\n  "toolUseId": "t1"\n}',
    }
    const reading = read(main, { files })
    expect(Object.keys(reading.subagents)).toEqual(['t1'])
    expect(said(reading.subagents.t1)).toEqual(spoken)
    expect(script(reading)).toEqual(['user: go', 'assistant: '])
  })

  it("is linked by the result of the call, or by the call's prompt, where there is no meta file", () => {
    const files = { 'subagents/agent-abc.jsonl': jsonl(thread) }
    expect(said(read([...main, back], { files }).subagents.t1)).toEqual(spoken)
    expect(said(read(main, { files }).subagents.t1)).toEqual(spoken)
  })

  it('is found below another subagent', () => {
    const inner = [{ ...user('i1', null, 'deeper'), isSidechain: true, agentId: 'def' }]
    const outer = [
      ...thread,
      { ...answer('s5', 's4', 'n3', call('t2', 'Agent', { prompt: 'deeper' })), ...side('s5', 's4') },
    ]
    const files = { 'subagents/agent-abc.jsonl': jsonl(outer), 'subagents/agent-def.jsonl': jsonl(inner) }
    expect(Object.keys(read([...main, back], { files }).subagents)).toEqual(['t1', 't2'])
  })

  it('belongs to the segment of its call; the agents of a compaction belong to none', () => {
    const files = {
      'subagents/agent-abc.jsonl': jsonl(thread),
      'subagents/agent-lost.jsonl': jsonl([{ ...thread[0], agentId: 'lost', message: { content: 'other' } }]),
      'subagents/agent-acompact-1.jsonl': jsonl([
        { ...thread[0], agentId: 'acompact-1', message: { content: 'x' } },
      ]),
    }
    const lines = [...main, back, user('u2', 'r1', 'next')]
    const from = Buffer.byteLength(jsonl([...main, back]))
    expect(read(lines, { files, from }).subagents).toEqual({})
    expect(Object.keys(read(lines, { files }).subagents)).toEqual(['t1', 'lost'])
  })

  it('is said once where its file and progress records have it, each in its own form (2.1.16)', () => {
    const progress = thread.slice(0, 3).map(({ type, message, uuid, timestamp }, index) => {
      const { content, ...rest } = message as { content: unknown }
      const copy = {
        content: typeof content === 'string' ? [{ text: content, type: 'text' }] : content,
        ...rest,
      }
      return record(`p${index}`, index === 0 ? 'a1' : `p${index - 1}`, {
        type: 'progress',
        data: {
          type: 'agent_progress',
          agentId: 'abc',
          message: { type, message: { ...copy, context_management: null }, uuid, timestamp },
        },
        parentToolUseID: 't1',
      })
    })
    const files = { 'subagents/agent-abc.jsonl': jsonl(thread) }
    const reading = read([...main, ...progress, back], { files })
    expect(said(reading.subagents.t1)).toEqual(spoken)
    expect(reading.report.derived.records).toBe(3)
  })

  it('is read from progress records, which leave out the links (2.1.39)', () => {
    const progress = thread.map((own, index) => {
      const { type, message, uuid, timestamp } = own
      return record(`p${index}`, index === 0 ? 'a1' : `p${index - 1}`, {
        type: 'progress',
        data: {
          type: 'agent_progress',
          agentId: 'abc',
          prompt: 'look around',
          message: { type, message, uuid, timestamp },
        },
        parentToolUseID: 't1',
        toolUseID: 'agent_msg_1',
      })
    })
    const reading = read([...main, ...progress, back])
    expect(said(reading.subagents.t1)).toEqual(spoken)
    expect(script(reading)).toEqual(['user: go', 'assistant: ', 'tool Agent: found it'])
    expect(reading.report.kept.records).toBe(7)
    expect(accounted(reading.report)).toBe(reading.report.bytes)
    const both = read([...main, ...progress, back], { files: { 'subagents/agent-abc.jsonl': jsonl(thread) } })
    expect(both.report.derived.records).toBe(4)
    expect(both.subagents.t1?.map(({ id }) => id)).toEqual(reading.subagents.t1?.map(({ id }) => id))
  })

  it('is read from the main file of old versions, where only the links distinguish it', () => {
    const old = thread.map(({ agentId: _, ...own }) => own)
    const reading = read([...main, ...old, back])
    expect(said(reading.subagents.t1)).toEqual(spoken)
    expect(script(reading)).toEqual(['user: go', 'assistant: ', 'tool Agent: found it'])
  })

  it('is not in other progress records, which are dropped by their rule', () => {
    const reading = read([...main, record('p1', 'a1', { type: 'progress', data: { type: 'bash_progress' } })])
    expect(reading.report.dropped.progress?.records).toBe(1)
  })
})
