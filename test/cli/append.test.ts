import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { inPackage } from '../helpers/ejected.ts'
import {
  filesBelow,
  type Lab,
  recordLines,
  type Shown,
  talk,
  workspaceLab,
} from '../helpers/workspace-lab.ts'

const lines = (...messages: object[]) => messages.map((one) => `${JSON.stringify(one)}\n`).join('')
const user = (content: string) => ({ role: 'user', content })
const assistant = (content: string) => ({ role: 'assistant', content })

const append = (lab: Lab, key: string, ...messages: object[]) =>
  lab.json<{ path: string; created: boolean; written: string[] }>(['append', '--key', key, '--json'], {
    input: lines(...messages),
  })
const context = (lab: Lab, key: string, ...args: string[]) =>
  lab.json<{ messages: { role: string; content: string }[]; tokensUsed: number; tokenBudget: number }>([
    'context',
    '--key',
    key,
    ...args,
  ])

describe('cortext append', () => {
  // promise: saves a turn of an agent loop from standard input
  test('S3-I2 without a key, the conversation is that of cli:default', async () => {
    const lab = await workspaceLab()
    await lab.cortext(['append'], { input: lines(user('Hello')) })
    expect((await context(lab, 'cli:default')).messages).toMatchObject([user('Hello')])
  })

  // promise: A line that is no message refuses the whole turn.
  test.each([
    ['not JSON', `${lines(user('a'))}{"role":\n`, 'standard input, line 2: not JSON'],
    ['no message', `${lines(user('a'))}\n\n${lines({ role: 'robot', content: 'x' })}`, 'line 4: role: '],
    [
      'an orphan',
      lines({ role: 'tool', content: 'x', tool_call_id: 'c9' }),
      'line 1: tool_call_id: there is no',
    ],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]).toString('latin1'), 'standard input'],
    ['nothing', '\n\n', 'there is no message'],
  ])('S3-T2 %s: the whole turn is refused, and no byte is written', async (_, input, told) => {
    const lab = await workspaceLab()
    const before = filesBelow(lab.root)
    const { code, stdout, stderr } = await lab.cortext(['append', '--key', 'k'], { input })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(told)
    expect(stderr).toContain('fix: ')
    const json = await lab.cortext(['append', '--key', 'k', '--json'], { input })
    expect(JSON.parse(json.stdout).error).toMatchObject({ code: 'usage', fix: expect.any(String) })
    expect(filesBelow(lab.root)).toEqual(before)
  })

  // promise: any text of up
  test('S3-P2 S3-I1 a key is data: no path, no option, no shell, no escape; each is found again as it was', async () => {
    const lab = await workspaceLab()
    const keys = [
      '../../../etc/x',
      'a/b',
      'A/B',
      '.',
      '-rf /',
      '$(touch owned)',
      'it\'s "q"',
      'ключ 🔑',
      ' x',
      'x',
      'l'.repeat(500),
      'esc\u001b[31m\n',
    ]
    for (const key of keys) await append(lab, key, user(`for ${key}`))
    for (const key of keys) expect((await context(lab, key)).messages).toEqual([user(`for ${key}`)])
    const { conversations } = await lab.json<{ conversations: { key: string; path: string }[] }>([
      'list',
      '--json',
    ])
    expect(conversations.map(({ key }) => key).sort()).toEqual(keys.toSorted())
    for (const { path } of conversations)
      expect(path).toMatch(/^conversations\/\d{4}-\d\d-\d\d\/\d{3}-chat-[^/]+$/)
    expect((await lab.cortext(['list'])).stdout).not.toContain('\u001b')
    expect(existsSync(join(lab.root, 'owned'))).toBe(false)
    expect((await lab.cortext(['append', '--key', ''], { input: lines(user('x')) })).code).toBe(2)
  })

  // promise: It is written whole
  test('E-17 E-20 8 processes on one key, and 2 on another, lose nothing, mix nothing, make two conversations', async () => {
    const lab = await workspaceLab()
    const turn = (who: string, number: number) => {
      const call = `call-${who}-${number}`
      return [
        user(`${who} ${number}`),
        { role: 'assistant', content: null, tool_calls: [{ id: call, name: 'read', arguments: {} }] },
        { role: 'tool', content: `${who} `.repeat(3000), tool_call_id: call },
        assistant(`${who} ${number} done`),
      ]
    }
    const write = async (key: string, who: string) => {
      for (let number = 1; number <= 3; number++) await append(lab, key, ...turn(who, number))
    }
    const writers = Array.from({ length: 8 }, (_, index) => write('shared', `w${index}`))
    await Promise.all([...writers, write('other', 'x0'), write('other', 'x1')])
    const { conversations } = await lab.json<{
      conversations: { key: string; path: string; message_count: number }[]
    }>(['list', '--json'])
    expect(conversations.map(({ key }) => key).sort()).toEqual(['other', 'shared'])
    for (const { key, path, message_count: count } of conversations) {
      const said: Shown[] = recordLines(lab, path).map((line) => JSON.parse(line))
      const writersOf = key === 'shared' ? 8 : 2
      expect(said).toHaveLength(writersOf * 3 * 4)
      expect(count).toBe(writersOf * 3 * 3)
      const turns = Array.from({ length: said.length / 4 }, (_, index) =>
        said.slice(4 * index, 4 * index + 4),
      )
      for (const [asked, calling, result, answer] of turns) {
        const [who] = String(asked!.content).split(' ')
        expect(who).toMatch(key === 'shared' ? /^w/ : /^x/)
        expect(calling).toMatchObject({ role: 'assistant' })
        expect(String(result!.content)).toContain(`${who} ${who}`)
        expect(answer!.content).toBe(`${asked!.content} done`)
      }
      expect(new Set(turns.map(([asked]) => asked!.content)).size).toBe(turns.length)
    }
    // The turns were private until they were in the record.
    const turns = join(lab.root, '.git/cortext/pending-turns')
    expect(readdirSync(turns)).toEqual([])
  }, 120_000)

  // promise: Secrets are replaced as everywhere.
  test('E-20 secrets are replaced in every place of a message, and a key cannot be one', async () => {
    const lab = await workspaceLab()
    const secret = 'ghp_h7Tq2LxW9vKd4RzB8nYc1MfJ6sGp3UaE5wXo'
    const { path } = await append(
      lab,
      'k',
      { ...user(`use ${secret}`), id: `id-${secret}`, note: { deep: [secret] } },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: secret, name: 'x', arguments: { token: secret } }],
      },
      { role: 'tool', content: [{ type: 'text', text: secret }], tool_call_id: secret, tool_name: 'x' },
    )
    for (const [file, text] of Object.entries(filesBelow(lab.root))) expect(text, file).not.toContain(secret)
    const [, calling, result] = recordLines(lab, path).map((line) => JSON.parse(line))
    expect(calling.tool_calls[0].id).toBe(result.tool_call_id)
    expect((await context(lab, 'k')).messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
    expect((await lab.cortext(['append', '--key', secret], { input: lines(user('x')) })).code).toBe(2)
  })
})

describe('by key', () => {
  test('append and list count the same messages, and cleared messages keep their tokens', async () => {
    const lab = await workspaceLab()
    const call = { id: 'c1', name: 'read', arguments: {} }
    const { stdout } = await lab.cortext(['append'], {
      input: lines(
        user('What is in it?'),
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content: 'Buy milk.' },
        assistant('To buy milk.'),
      ),
    })
    expect(stdout).toMatch(/^Written: 3 messages and 1 tool result in conversations/)
    const counts = async () =>
      (await lab.json<{ total: { messages: number; tokens: number } }>(['stats', '--json'])).total
    const before = await counts()
    expect(before).toMatchObject({ messages: 3, tokens: expect.any(Number) })
    await lab.json(['edit', '--key', 'cli:default', '--clear', '--json'])
    expect(await counts()).toEqual(before)
  })

  test('S3-P3 S3-A5 S3-O3 edit --clear keeps the talk for show and list, and empties the next context', async () => {
    const lab = await workspaceLab()
    const { path } = await append(lab, 'cli:default', user('one'), assistant('two'))
    const all = async () =>
      (await lab.json<{ messages: Shown[] }>(['show', '--key', 'cli:default', '--messages', '--json']))
        .messages
    expect(talk(await all())).toEqual(['user: one', 'assistant: two'])
    expect((await lab.cortext(['show', '--key', 'cli:default'])).stdout).toContain('Key: cli:default')
    expect((await lab.cortext(['list'])).stdout).toMatch(/KEY +TITLE\n.* cli:default +cli:default$/m)
    await lab.json(['edit', '--key', 'cli:default', '--clear', '--json'])
    expect((await context(lab, 'cli:default')).messages).toEqual([])
    expect(talk(await all())).toEqual(['user: one', 'assistant: two'])
    await append(lab, 'cli:default', user('three'))
    expect((await context(lab, 'cli:default')).messages).toEqual([user('three')])
    expect(recordLines(lab, path)).toHaveLength(4)
    // A change that is refused clears nothing.
    expect(
      await lab.cortext(['edit', '--key', 'cli:default', '--clear', '--type', 'nonsense']),
    ).toMatchObject({ code: 1 })
    expect((await context(lab, 'cli:default')).messages).toEqual([user('three')])
    // What a client's own session knows cannot be taken back.
    await lab.json(['start', 'plan', 'In a client', '--json'])
    expect(await lab.cortext(['edit', '002', '--clear'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has no key'),
    })
  })

  // promise: the budget is what
  test('S4-P2-5 S4-P2-1 S4-DP5 context fits a budget, a model or a window, and is empty for a new key', async () => {
    const lab = await workspaceLab()
    const before = filesBelow(lab.root)
    expect(await context(lab, 'new')).toMatchObject({ messages: [], tokensUsed: 0, originalMessageCount: 0 })
    expect(filesBelow(lab.root)).toEqual(before)
    for (let turn = 0; turn < 6; turn++)
      await append(lab, 'k', user(`q${turn} `.repeat(150)), assistant(`a${turn} `.repeat(150)))
    for (const budget of [0, 10, 100, 450, 2000, 9000]) {
      const built = await context(lab, 'k', '--budget', String(budget))
      expect(built.tokensUsed).toBeLessThanOrEqual(budget)
      expect(built).toMatchObject({ tokenBudget: budget, originalMessageCount: 12 })
      expect(built.messages.length).toBeGreaterThan(budget < 100 ? -1 : 0)
    }
    expect(await context(lab, 'k', '--model', 'gpt-5', '--budget', '9000')).toMatchObject({
      tokenBudget: 9000,
      strategy: 'full-history',
      budget: { modelContextWindow: 400_000, reserveForResponse: 100_000 },
    })
    expect(await context(lab, 'k', '--window', '1000')).toMatchObject({ tokenBudget: 750 })
    expect(await context(lab, 'k', '--strategy', 'minimal-state')).toMatchObject({
      strategy: 'minimal-state',
    })
    const roomy = await context(
      lab,
      'k',
      '--window',
      '20000',
      '--system',
      inPackage('templates/registry.json'),
    )
    expect(roomy).toMatchObject({ budget: { systemPromptTokens: expect.any(Number) } })
    expect(roomy.tokenBudget).toBeLessThan(15_000)
    for (const wrong of [
      ['--budget', 'x'],
      ['--budget', ''],
      ['--budget', '1e9'],
      ['--window', '-1'],
      ['--window', ''],
      ['--strategy', 'luck'],
    ])
      expect((await lab.cortext(['context', '--key', 'k', ...wrong])).code).toBe(2)
  })

  test('E-27 S4-P1-15 no id and no key, both of them, or an unknown key: the error says what to do', async () => {
    const lab = await workspaceLab()
    expect((await lab.cortext(['show'])).code).toBe(2)
    expect((await lab.cortext(['show', '001', '--key', 'k'])).code).toBe(2)
    expect((await lab.cortext(['edit', '--clear'])).code).toBe(2)
    expect((await lab.cortext(['context', '--key', 'k', '--full'])).code).toBe(2)
    expect((await lab.cortext(['context', '001', '--window', '1000'])).code).toBe(2)
    expect(await lab.cortext(['show', '--key', 'k'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"k"'),
    })
  })
})
