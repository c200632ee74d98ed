import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { create } from '../../../src/conversation/create.ts'
import { publish } from '../../../src/conversation/publish.ts'
import { readConversation } from '../../../src/conversation/read.ts'
import { appendTurn, clearConversation } from '../../../src/journeys/agent-loop/append-turn.ts'
import { findByKey } from '../../../src/journeys/agent-loop/by-key.ts'
import { contextByKey } from '../../../src/journeys/agent-loop/context-by-key.ts'
import { removeConversation } from '../../../src/journeys/editing/delete.ts'
import { fork } from '../../../src/journeys/editing/fork.ts'
import { prune, restore } from '../../../src/journeys/editing/prune.ts'
import { Message } from '../../../src/session/schema.ts'
import { recordFiles } from '../../../src/store/layout.ts'
import { writePendingTurn } from '../../../src/store/machine/pending-turn.ts'
import { openWorkspace } from '../../../src/workspace/open.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { filesBelow, recordLines, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

const KEY = 'discord:channel:1'
const say = (content: string, id?: string) => ({ role: 'user', content, ...(id === undefined ? {} : { id }) })

async function opened() {
  const lab = await workspaceLab()
  const ws = openWorkspace(lab.environment)
  const append = (...messages: unknown[]) =>
    appendTurn(ws, { key: KEY, messages, nameOf: (index) => `messages[${index}]` })
  const said = (path: string) => readConversation(ws, path).messages.map(({ content }) => content)
  return { lab, ws, append, said }
}

describe('a turn', () => {
  test('S3-T1 S4-P5-11 law: wherever its writer is killed, readers see all of it or nothing, and the next writer repairs it', async () => {
    const { lab, ws, append, said } = await opened()
    const { path } = await append(say('first'))
    const file = recordFiles(join(lab.root, path)).messages
    const before = readFileSync(file)
    await append(say('second'), { role: 'assistant', content: 'zwölf 🔑' }, say('last'))
    const after = readFileSync(file)
    const turn = after
      .subarray(before.length)
      .toString()
      .trim()
      .split('\n')
      .map((line) => Message.parse(JSON.parse(line)))
    const session = join(lab.root, path, '.session/session.json')
    const whole = ['first', 'second', 'zwölf 🔑', 'last']
    const cuts = Array.from({ length: 24 }, (_, step) =>
      Math.round(before.length + ((after.length - before.length) * step) / 23),
    )
    for (const cut of cuts) {
      // It died while appending: the turn was written, and so was the file up to here.
      writePendingTurn(ws.local, path, turn)
      writeFileSync(file, after.subarray(0, cut))
      expect(said(path), `cut at ${cut}`).toEqual(whole)
      expect((await contextByKey(ws, KEY)).messages).toHaveLength(4)
      if (cut % 2 === 0) await append(say('next'))
      else await publish(ws, path)
      expect(said(path)).toEqual(cut % 2 === 0 ? [...whole, 'next'] : whole)
      expect(filesBelow(join(ws.local, 'pending-turns'))).toEqual({})
      expect(JSON.parse(readFileSync(session, 'utf8')).message_count).toBe(cut % 2 === 0 ? 5 : 4)
      const ids = recordLines(lab, path).flatMap((line) => {
        try {
          return [JSON.parse(line).id]
        } catch {
          return []
        }
      })
      expect(new Set(ids).size).toBe(ids.length)
    }
  })

  test('S3-T2 S4-DP1 that was not written as a whole leaves nothing; a broken pending turn is logged', async () => {
    const { lab, ws, append, said } = await opened()
    const { path } = await append(say('first'))
    writePendingTurn(ws.local, path, [])
    const [name] = Object.keys(filesBelow(join(ws.local, 'pending-turns')))
    writeFileSync(join(ws.local, 'pending-turns', name!), '{"messages":[{"role":')
    expect(said(path)).toEqual(['first'])
    expect(readFileSync(join(ws.local, 'log'), 'utf8')).toContain('turn cannot be read')
    await append(say('second'))
    expect(talk(await shown(lab, '001'))).toEqual(['user: first', 'user: second'])
  })

  // promise: a message that is appended again is not written again
  test('S3-A2 with known ids writes only new messages; another text under a known id is refused', async () => {
    const { lab, append, said } = await opened()
    const first = await append(say('one', 'm1'), say('two', 'm2'))
    expect(await append(say('one', 'm1'), say('two', 'm2'), say('three', 'm3'))).toMatchObject({
      alreadyThere: 2,
      written: [expect.any(String)],
      created: false,
    })
    const files = filesBelow(join(lab.root, 'conversations'))
    await expect(append(say('four'), say('other', 'm2'))).rejects.toMatchObject({ code: 'refused' })
    await expect(append(say('four', 'm4'), say('five', 'm4'))).rejects.toMatchObject({ code: 'refused' })
    await append(say('one', 'm1'))
    expect(filesBelow(join(lab.root, 'conversations'))).toEqual(files)
    expect(said(first.path)).toEqual(['one', 'two', 'three'])
  })

  // promise: no call id comes twice in a conversation
  test('S4-P3-23 is refused if a call has the id of another call', async () => {
    const { lab, append } = await opened()
    const call = (id: string) => ({
      role: 'assistant',
      content: null,
      tool_calls: [{ id, name: 'read', arguments: {} }],
    })
    await expect(append(call('c1'), call('c1'))).rejects.toMatchObject({ code: 'refused' })
    expect(filesBelow(join(lab.root, 'conversations'))).toEqual({})
    await append(call('c1'), { role: 'tool', content: 'x', tool_call_id: 'c1' })
    await expect(append(call('c1'))).rejects.toThrow(/messages\[0\].*"c1"/)
    await append({ role: 'tool', content: 'later', tool_call_id: 'c1' })
  })

  // promise: A system prompt is yours: it is not recorded.
  test('S3-W2 S3-W3 S3-W4 keeps parts and long results whole; a system prompt is not recorded', async () => {
    const { lab, append, ws } = await opened()
    const parts = [
      { type: 'text', text: 'look' },
      { type: 'image', source: { media_type: 'image/png', data: 'AAAA' } },
    ]
    const long = 'x'.repeat(100_000)
    const { path, systemPrompts } = await append(
      { role: 'system', content: 'You are helpful' },
      { role: 'user', content: parts },
      { role: 'assistant', content: '', tool_calls: [{ id: 'c', name: 'cat', arguments: {} }] },
      { role: 'tool', content: long, tool_call_id: 'c', is_error: true },
    )
    expect(systemPrompts).toBe(1)
    const { messages } = readConversation(ws, path)
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
    expect(messages[0]!.content).toEqual(parts)
    expect(messages[2]).toMatchObject({ is_error: true, truncated: { bytes: 100_000 } })
    const kept = filesBelow(join(lab.root, path, '.session/attachments'))
    expect(Object.values(kept)).toEqual([long])
    await expect(append({ role: 'system', content: 'alone' })).rejects.toMatchObject({ code: 'usage' })
  })
})

describe('the conversation of a key', () => {
  test('S3-C1 is the older one in every clone, if two clones have each made one', async () => {
    const { ws, append } = await opened()
    const { path } = await append(say('here'))
    await new Promise((resolve) => setTimeout(resolve, 5))
    await create(ws, { type: 'chat', title: 'the other', key: KEY })
    expect(findByKey(ws, KEY)).toBe(path)
    expect((await append(say('again'))).path).toBe(path)
  })

  test('S3-A2 knows the ids of pruned messages, and a clear leaves the summary of the pruned part behind', async () => {
    const { ws, append, said } = await opened()
    const { path } = await append(say('the task is alpha', 'm1'))
    await append(say('second', 'm2'))
    await append(say('third', 'm3'))
    await prune(ws, path, { turns: 1 })
    expect(await append(say('the task is alpha', 'm1'), say('fourth', 'm4'))).toMatchObject({
      alreadyThere: 1,
      written: [expect.any(String)],
    })
    const told = JSON.stringify((await contextByKey(ws, KEY)).messages)
    for (const word of ['alpha', 'third', 'fourth']) expect(told).toContain(word)
    await clearConversation(ws, path)
    const cleared = await contextByKey(ws, KEY)
    expect(cleared).toMatchObject({ messages: [], tokensUsed: 0 })
    await restore(ws, path)
    expect(said(path).filter((text) => text !== '')).toEqual([
      'the task is alpha',
      'second',
      'third',
      'fourth',
    ])
    expect((await contextByKey(ws, KEY)).messages).toEqual([])
  })

  test('has a fork without the key, which goes its own way', async () => {
    const { ws, append, said } = await opened()
    const { path } = await append(say('one'))
    const made = await fork(ws, { path })
    expect(findByKey(ws, KEY)).toBe(path)
    await append(say('two'))
    expect(said(made.path)).toEqual(['one'])
  })

  test('is found when its session.json is broken, and never made twice', async () => {
    const { lab, append, said } = await opened()
    const { path } = await append(say('one'))
    writeFileSync(join(lab.root, path, '.session/session.json'), '{')
    expect(await append(say('two'))).toMatchObject({ path, created: false })
    expect(said(path)).toEqual(['one', 'two'])
  })

  // promise: A completed conversation takes no more turns until
  test('refuses turns while it is completed, until it is reopened; if it is paused, it continues', async () => {
    const { lab, append } = await opened()
    await append(say('one'))
    await lab.json(['edit', '--key', KEY, '--status', 'paused', '--json'])
    await append(say('two'))
    await lab.json(['edit', '--key', KEY, '--status', 'completed', '--json'])
    await expect(append(say('three'))).rejects.toMatchObject({ code: 'refused' })
    await lab.json(['edit', '--key', KEY, '--status', 'active', '--force', '--json'])
    await append(say('three'))
  })

  test('begins again after a delete, without a pending turn', async () => {
    const { ws, append, said } = await opened()
    const { path } = await append(say('old', 'm1'))
    writePendingTurn(ws.local, path, readConversation(ws, path).messages)
    removeConversation(ws, path)
    const again = await append(say('new'))
    expect(again.created).toBe(true)
    expect(said(again.path)).toEqual(['new'])
  })

  // promise: It survives restarts, and it
  test('S3-P4 is resumed in a client, and what was said there is in the next context', async () => {
    const { lab, append, ws } = await opened()
    const { path } = await append(say('from the loop'), { role: 'assistant', content: 'noted' })
    const printed = await lab.cortext(['resume', '001', '--print', '--in', 'claude'])
    expect(printed).toMatchObject({ code: 0, stdout: expect.stringContaining('from the loop') })
    const claude = new ClaudeSession(lab)
    await claude.turn('said in claude', 'heard')
    await lab.json(['import', 'claude', claude.id, '--into', '001', '--json'])
    await append(say('back in the loop'))
    const { messages } = await contextByKey(ws, KEY)
    expect(messages.map(({ content }) => content).sort()).toEqual(
      ['from the loop', 'noted', 'said in claude', 'heard', 'back in the loop'].sort(),
    )
    await clearConversation(ws, path)
    expect((await contextByKey(ws, KEY)).messages).toEqual([])
  })
})

test('E-16 a torn line of another program stays, and an appended turn starts on a line of its own', async () => {
  const { lab, append, said } = await opened()
  const { path } = await append(say('one'))
  appendFileSync(recordFiles(join(lab.root, path)).messages, '{"id":"torn","ro')
  await append(say('two'))
  expect(said(path)).toEqual(['one', 'two'])
})
