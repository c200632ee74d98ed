import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readerOf } from '../../src/clients/index.ts'
import { withOwnCalls } from '../../src/conversation/segments/own-call-ids.ts'
import { isTalk, textOf } from '../../src/session/live-path.ts'
import type { Message } from '../../src/session/schema.ts'
import { recordLines, workspaceLab } from '../helpers/workspace-lab.ts'

/** What a person and an agent say in turn, a second apart. */
const said = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    ...{ at, text: `Words number ${at}`, isUser: at % 2 === 0 },
    time: new Date(Date.UTC(2026, 2, 1) + at * 1000).toISOString(),
  }))
type Said = ReturnType<typeof said>[number]

/** One of three ids for all: as a program leaves them that takes ids for secrets. */
const idOf = (at: number) => ['REDACTED', 'REDACTED-2', 'REDACTED-3'][at % 3]!
const lines = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

/** A session of each client whose messages, parents and calls have scrubbed ids. */
const SESSIONS: Record<string, (all: readonly Said[]) => string> = {
  claude: (all) =>
    lines(
      all.map(({ at, text, isUser, time }) => ({
        ...{ parentUuid: at === 0 ? null : idOf(at - 1), uuid: idOf(at), timestamp: time, sessionId: 's' },
        ...(isUser
          ? { type: 'user', message: { role: 'user', content: text } }
          : {
              type: 'assistant',
              message: { id: `msg_${at}`, role: 'assistant', content: [{ type: 'text', text }] },
            }),
      })),
    ),
  codex: (all) =>
    lines([
      { timestamp: all[0]!.time, type: 'session_meta', payload: { id: 's', cwd: '/p' } },
      ...all.map(({ at, text, isUser, time }) => ({
        ...{ timestamp: time, type: 'response_item' },
        payload: {
          ...{ type: 'message', id: idOf(at), role: isUser ? 'user' : 'assistant' },
          content: [{ type: isUser ? 'input_text' : 'output_text', text }],
        },
      })),
    ]),
  gemini: (all) =>
    JSON.stringify({
      ...{ sessionId: 's', projectHash: 'h' },
      messages: all.map(({ at, text, isUser, time }) => ({
        ...{ id: idOf(at), timestamp: time, type: isUser ? 'user' : 'gemini', content: text },
      })),
    }),
  opencode: (all) =>
    JSON.stringify({
      info: { id: 's', title: 'T' },
      messages: all.map(({ at, text, isUser }) => ({
        info: { id: idOf(at), sessionID: 's', role: isUser ? 'user' : 'assistant', time: { created: at } },
        parts: [{ id: 'REDACTED', type: 'text', text }],
      })),
    }),
  qwen: (all) =>
    lines(
      all.map(({ at, text, isUser, time }) => ({
        ...{ uuid: idOf(at), parentUuid: at === 0 ? null : idOf(at - 1), sessionId: 's', timestamp: time },
        type: isUser ? 'user' : 'assistant',
        message: { role: isUser ? 'user' : 'model', parts: [{ text }] },
      })),
    ),
  copilot: (all) =>
    lines(
      all.map(({ at, text, isUser, time }) => ({
        ...{ id: idOf(at), parentId: null, timestamp: time },
        type: isUser ? 'user.message' : 'assistant.message',
        data: { content: text },
      })),
    ),
  pi: (all) =>
    lines([
      { type: 'session', id: 's', timestamp: all[0]!.time, cwd: '/p' },
      ...all.map(({ at, text, isUser }) => ({
        ...{
          type: 'message',
          id: idOf(at),
          parentId: at === 0 ? null : idOf(at - 1),
          timestamp: all[0]!.time,
        },
        message: { role: isUser ? 'user' : 'assistant', content: [{ type: 'text', text }] },
      })),
    ]),
}

function readSession(client: string, text: string): Message[] {
  const { reading } = readerOf(client)
  const bytes = Buffer.from(reading.fromExport?.(text) ?? text)
  return withOwnCalls(reading.read({ nativeId: 's', bytes, sideFiles: [], readSideFile: () => undefined }))
    .messages
}

describe.each(Object.keys(SESSIONS))('messages of %s with equal ids', (client) => {
  // promise: Two files with one session
  test('are one message only where their contents are equal too', () => {
    const all = said(60)
    const messages = readSession(client, SESSIONS[client]!(all))
    expect(messages.filter(isTalk).map(textOf)).toEqual(all.map(({ text }) => text))
    expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length)
    expect(messages.some(({ event }) => event === 'rewound')).toBe(false)
  })

  test('have the same ids at every reading, also when the session has gone on', () => {
    const [short, long] = [30, 40].map((count) => readSession(client, SESSIONS[client]!(said(count))))
    expect(long!.slice(0, short!.length).map(({ id }) => id)).toEqual(short!.map(({ id }) => id))
  })
})

test('thousands of messages with three ids are all kept, in time that grows with their number', () => {
  for (const [client, session] of Object.entries(SESSIONS))
    expect(readSession(client, session(said(3000))).filter(isTalk), client).toHaveLength(3000)
})

/** Three calls with one id, one after the other or all at once, and their results. */
const CALLS: Record<string, (isAtOnce: boolean) => string> = {
  claude: (isAtOnce) => {
    const call = (at: number) => ({
      type: 'tool_use',
      id: 'REDACTED',
      name: 'Read',
      input: { path: `/p/${at}` },
    })
    const result = (at: number) => ({
      type: 'tool_result',
      tool_use_id: 'REDACTED',
      content: `Content ${at}`,
    })
    const of = (role: string, content: object[], at: number) => ({
      ...{
        type: role,
        uuid: `${role}-${at}`,
        parentUuid: null,
        timestamp: said(9)[at]!.time,
        sessionId: 's',
      },
      message: { id: `msg_${at}`, role, content },
    })
    return lines(
      isAtOnce
        ? [of('assistant', [0, 1, 2].map(call), 0), of('user', [0, 1, 2].map(result), 1)]
        : [0, 1, 2].flatMap((at) => [of('assistant', [call(at)], at), of('user', [result(at)], at)]),
    )
  },
  codex: (isAtOnce) => {
    const item = (payload: object) => ({ timestamp: said(1)[0]!.time, type: 'response_item', payload })
    const call = (at: number) =>
      item({
        ...{ type: 'function_call', call_id: 'REDACTED', id: `fc_${at}`, name: 'read' },
        arguments: JSON.stringify({ path: `/p/${at}` }),
      })
    const result = (at: number) =>
      item({ type: 'function_call_output', call_id: 'REDACTED', output: `Content ${at}` })
    return lines([
      { timestamp: said(1)[0]!.time, type: 'session_meta', payload: { id: 's', cwd: '/p' } },
      ...(isAtOnce
        ? [...[0, 1, 2].map(call), ...[0, 1, 2].map(result)]
        : [0, 1, 2].flatMap((at) => [call(at), result(at)])),
    ])
  },
  gemini: (isAtOnce) => {
    const call = (at: number) => ({
      ...{ id: 'REDACTED', name: 'read', args: { path: `/p/${at}` } },
      result: [{ functionResponse: { id: 'REDACTED', name: 'read', response: { output: `Content ${at}` } } }],
    })
    const of = (calls: object[], at: number) => ({
      ...{ id: `m${at}`, timestamp: said(9)[at]!.time, type: 'gemini', content: '', toolCalls: calls },
    })
    const messages = isAtOnce ? [of([0, 1, 2].map(call), 0)] : [0, 1, 2].map((at) => of([call(at)], at))
    return JSON.stringify({ sessionId: 's', projectHash: 'h', messages })
  },
  opencode: (isAtOnce) => {
    const part = (at: number) => ({
      ...{ id: 'REDACTED', type: 'tool', callID: 'REDACTED', tool: 'read' },
      state: { status: 'completed', input: { path: `/p/${at}` }, output: `Content ${at}` },
    })
    const of = (parts: object[], at: number) => ({
      info: { id: `m${at}`, sessionID: 's', role: 'assistant', time: { created: at } },
      parts,
    })
    const messages = isAtOnce ? [of([0, 1, 2].map(part), 0)] : [0, 1, 2].map((at) => of([part(at)], at))
    return JSON.stringify({ info: { id: 's', title: 'T' }, messages })
  },
  qwen: (isAtOnce) => {
    const call = (at: number) => ({
      functionCall: { id: 'REDACTED', name: 'read', args: { path: `/p/${at}` } },
    })
    const result = (at: number) => ({
      functionResponse: { id: 'REDACTED', name: 'read', response: { output: `Content ${at}` } },
    })
    const of = (type: string, parts: object[], at: number) => ({
      ...{ uuid: `${type}-${at}`, sessionId: 's', timestamp: said(9)[at]!.time, type },
      message: { role: type === 'assistant' ? 'model' : 'user', parts },
    })
    return lines(
      isAtOnce
        ? [of('assistant', [0, 1, 2].map(call), 0), of('tool_result', [0, 1, 2].map(result), 1)]
        : [0, 1, 2].flatMap((at) => [of('assistant', [call(at)], at), of('tool_result', [result(at)], at)]),
    )
  },
  copilot: (isAtOnce) => {
    const call = (at: number) => ({ toolCallId: 'REDACTED', name: 'read', arguments: { path: `/p/${at}` } })
    const event = (type: string, data: object, at: number) => ({
      ...{ id: `${type}-${at}`, timestamp: said(9)[at]!.time, type, data },
    })
    const asked = (calls: object[], at: number) =>
      event('assistant.message', { content: '', toolRequests: calls }, at)
    const result = (at: number) =>
      event(
        'tool.execution_complete',
        { toolCallId: 'REDACTED', success: true, result: { content: `Content ${at}` } },
        at,
      )
    return lines(
      isAtOnce
        ? [asked([0, 1, 2].map(call), 0), ...[0, 1, 2].map(result)]
        : [0, 1, 2].flatMap((at) => [asked([call(at)], at), result(at)]),
    )
  },
  pi: (isAtOnce) => {
    const call = (at: number) => ({
      type: 'toolCall',
      id: 'REDACTED',
      name: 'read',
      arguments: { path: `/p/${at}` },
    })
    const entry = (message: object, at: number) => ({
      ...{ type: 'message', id: `e${at}`, timestamp: said(9)[at]!.time, message },
    })
    const asked = (content: object[], at: number) => entry({ role: 'assistant', content }, at)
    const result = (at: number, id: number) =>
      entry(
        {
          ...{ role: 'toolResult', toolCallId: 'REDACTED', toolName: 'read' },
          content: [{ type: 'text', text: `Content ${at}` }],
        },
        id,
      )
    return lines([
      { type: 'session', id: 's', timestamp: said(1)[0]!.time, cwd: '/p' },
      ...(isAtOnce
        ? [asked([0, 1, 2].map(call), 0), ...[0, 1, 2].map((at) => result(at, at + 1))]
        : [0, 1, 2].flatMap((at) => [asked([call(at)], 2 * at), result(at, 2 * at + 1)])),
    ])
  },
}

describe.each(Object.keys(CALLS))('calls of %s with equal ids', (client) => {
  // promise: Two files with one session
  test.each([
    ['one after the other', false],
    ['all at once', true],
  ])('%s have their own arguments and results', (_, isAtOnce) => {
    const messages = readSession(client, CALLS[client]!(isAtOnce))
    const calls = messages.flatMap(({ tool_calls: made }) => made ?? [])
    expect(new Set(calls.map(({ id }) => id)).size).toBe(3)
    const pairs = calls.map((call) => {
      const results = messages.filter(({ role, tool_call_id: id }) => role === 'tool' && id === call.id)
      return [JSON.stringify(call.arguments), results.map(textOf)]
    })
    expect(pairs).toEqual([0, 1, 2].map((at) => [JSON.stringify({ path: `/p/${at}` }), [`Content ${at}`]]))
  })
})

// promise: Two files with one session id and other words are two: a program that scrubs transcripts can
test('two sessions in files with one id become two conversations, each whole, and a second import adds nothing', async () => {
  const lab = await workspaceLab()
  const files = ['a', 'b'].map((name) => {
    const all = said(4).map((one) => ({ ...one, text: `${one.text} of ${name}` }))
    mkdirSync(join(lab.home, name))
    const file = join(lab.home, name, 'REDACTED.jsonl')
    writeFileSync(file, SESSIONS.claude!(all))
    return file
  })
  const args = ['import', 'claude', ...files.flatMap((file) => ['--file', file]), '--json']
  const { imported } = await lab.json<{ imported: { path: string }[] }>(args)
  expect(new Set(imported.map(({ path }) => path)).size).toBe(2)
  const before = imported.map(({ path }) => recordLines(lab, path))
  for (const [at, messages] of before.entries()) {
    const texts = messages
      .map((line): Message => JSON.parse(line))
      .filter(isTalk)
      .map(textOf)
    expect(texts).toEqual([0, 1, 2, 3].map((n) => `Words number ${n} of ${['a', 'b'][at]}`))
  }
  await lab.json(args)
  expect(imported.map(({ path }) => recordLines(lab, path))).toEqual(before)
})
