import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type Lab, recordLines, workspaceLab } from '../helpers/workspace-lab.ts'

// The package by its name, as a program that has it installed: what the build made.
const { openStore, CortextError } = await import(/* @vite-ignore */ 'cortext' as string)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const AGENT = fileURLToPath(new URL('fake-agent.mjs', import.meta.url))
const { nextTurn } = await import(/* @vite-ignore */ AGENT)

interface Said {
  role: string
  content: string
  tool_call_id?: string
  tool_calls?: { id: string }[]
}

/** Turns of the fake agent in the record, each checked to be whole and in its place. */
async function wholeTurns(lab: Lab, key: string): Promise<number> {
  const said: Said[] = await (await openStore(lab.root)).conversation(key).messages()
  const roles = said.map(({ role }) => role)
  const turns = Math.ceil(said.length / 4)
  expect(roles).toEqual(
    Array.from({ length: turns }, () => ['user', 'assistant', 'tool', 'assistant']).flat(),
  )
  for (let turn = 0; turn < turns; turn++) {
    const [asked, , result] = said.slice(4 * turn)
    expect(asked!.content).toBe(`turn ${turn + 1}`)
    expect(result!.tool_call_id).toBe(`call-${turn + 1}`)
  }
  return turns
}

function agent(lab: Lab, key: string, turns: number) {
  const child = spawn(process.execPath, [AGENT, lab.root, key, String(turns)], {
    env: lab.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, errors] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const end = new Promise<{ recorded: number[]; errors: string; code: number | null }>((resolve) => {
    child.on('close', (code) => resolve({ recorded: out.split('\n').slice(0, -1).map(Number), errors, code }))
  })
  return { child, end }
}

describe('an agent loop of its own', () => {
  // promise: It survives restarts, and it is listed, searched, shown, pruned and resumed in a client like
  test('S3-P1 S3-C1 S3-C2 S3-A3 S3-L1 it goes on after every restart: a new process for each turn', async () => {
    const lab = await workspaceLab()
    for (let turn = 1; turn <= 6; turn++)
      expect(await agent(lab, 'cli:default', 1).end).toEqual({ recorded: [turn], errors: '', code: 0 })
    expect(await wholeTurns(lab, 'cli:default')).toBe(6)
  })

  test('S3-T1 S3-T2 S4-P5-11 S4-DP1 killed at any moment, a turn is there whole or not at all, once', async () => {
    const lab = await workspaceLab()
    let heard = 0
    let killed = 0
    for (let round = 0; round < 12; round++) {
      const { child, end } = agent(lab, 'discord:channel:1', 1000)
      // Not before it has begun to write, then at any moment of what it does.
      await Promise.race([new Promise((resolve) => child.stdout.once('data', resolve)), end])
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 60))
      child.kill('SIGKILL')
      const { recorded, errors } = await end
      expect(errors).toBe('')
      killed += Number(child.signalCode === 'SIGKILL')
      heard = Math.max(heard, ...recorded)
      const there = await wholeTurns(lab, 'discord:channel:1')
      expect(there).toBeGreaterThanOrEqual(heard)
      expect(there).toBeLessThanOrEqual(heard + 1)
    }
    expect(killed).toBe(12)
    expect((await agent(lab, 'discord:channel:1', 1).end).code).toBe(0)
    const [conversation] = (await lab.json<{ conversations: { path: string }[] }>(['list', '--json']))
      .conversations
    // After the next turn the file alone holds it all, each line once.
    expect(recordLines(lab, conversation!.path)).toHaveLength(
      4 * (await wholeTurns(lab, 'discord:channel:1')),
    )
  }, 120_000)

  test('S4-0-1 S4-0-2 S4-0-3 S4-DP2 S4-P3-23 200 turns with tools: within the budget, and no result without its call', async () => {
    const lab = await workspaceLab()
    const strategies = new Set<string>()
    const open = await openStore(lab.root)
    for (let turn = 1; turn <= 200; turn++) {
      // The model itself refuses calls and results that do not belong together.
      expect(await nextTurn(open, 'cli:default')).toBe(turn)
      if (turn % 10 !== 0) continue
      for (const budget of [0, 50, 500, 3000, 8000]) {
        const { tokensUsed, strategy } = await open.conversation('cli:default').context({ budget })
        expect(tokensUsed).toBeLessThanOrEqual(budget)
        strategies.add(strategy)
      }
    }
    expect([...strategies]).toEqual(expect.arrayContaining(['full-history', 'talk']))
    expect(await wholeTurns(lab, 'cli:default')).toBe(200)
  }, 180_000)
})

describe('the library', () => {
  // promise: Every key is a conversation of its own.
  test('S3-P2 S3-I1 S3-I2 S3-I3 S3-I4 S3-I5 S3-O2 every key is a conversation of its own', async () => {
    const lab = await workspaceLab()
    const store = await openStore(lab.root)
    const keys = ['cli:default', 'discord:dm:1', 'discord:channel:1', 'discord:thread:1', 'discord:channel:2']
    await Promise.all(
      keys.flatMap((key) =>
        [1, 2, 3].map(() => store.conversation(key).append([{ role: 'user', content: `for ${key}` }])),
      ),
    )
    for (const key of keys) {
      const { messages } = await store.conversation(key).context({ budget: 8000 })
      expect(messages).toEqual(Array(3).fill({ role: 'user', content: `for ${key}` }))
    }
    const { conversations } = await lab.json<{ conversations: { key: string }[] }>(['list', '--json'])
    expect(conversations.map(({ key }) => key).sort()).toEqual(keys.sort())
  })

  // promise: **Clear** empties the context.
  // promise: The talk before it stays in the record.
  test('S3-C3 S3-A5 S4-P1-13 clear: the next context is empty, the record keeps everything, the next message goes on', async () => {
    const lab = await workspaceLab()
    const chat = (await openStore(lab.root)).conversation('cli:default')
    expect(await chat.clear()).toBe(false)
    expect(await chat.messages()).toEqual([])
    expect((await chat.context()).messages).toEqual([])
    await chat.append([{ role: 'user', content: 'before' }])
    expect(await chat.clear()).toBe(true)
    expect(await chat.clear()).toBe(false)
    expect((await chat.context()).messages).toEqual([])
    await chat.append([{ role: 'user', content: 'after' }])
    expect((await chat.context()).messages).toEqual([{ role: 'user', content: 'after' }])
    const all: { content: string; event?: string }[] = await chat.messages()
    expect(all.map(({ content, event }) => event ?? content)).toEqual(['before', 'cleared', 'after'])
  })

  // promise: the budget is what the window leaves after a quarter for the answer
  test('S4-P2-1 S4-P2-2 S4-P2-3 S4-P2-4 S4-P2-5 a model or a window: how it is shared, and what fits', async () => {
    const lab = await workspaceLab()
    const chat = (await openStore(lab.root)).conversation('cli:default')
    await chat.append([{ role: 'user', content: 'one two three four' }])
    const built = await chat.context({ window: 1000, systemPrompt: 'be brief', toolDefinitions: '{}' })
    const { budget } = built
    expect(budget).toMatchObject({
      modelContextWindow: 1000,
      reserveForResponse: 250,
      currentConversationTokens: 4,
    })
    expect(budget.availableTokens).toBe(1000 - 250 - budget.systemPromptTokens - budget.toolDefinitionTokens)
    expect(budget.systemPromptTokens).toBeGreaterThan(0)
    expect(budget.utilizationPercent).toBeGreaterThan(0)
    expect(built).toMatchObject({
      messages: [{ role: 'user', content: 'one two three four' }],
      strategy: 'full-history',
      tokenBudget: budget.availableTokens,
      originalMessageCount: 1,
      includedMessageCount: 1,
      summarizedMessageCount: 0,
      receipt: { messages: 1, whole: 1 },
    })
    expect((await chat.context({ model: 'claude-sonnet-4-5' })).budget.modelContextWindow).toBe(200_000)
    expect((await chat.context({ window: 1000, systemPrompt: 'word '.repeat(2000) })).messages).toEqual([])
  })

  // promise: as a module of either
  test('errors have a code and a fix, nothing is printed, and both kinds of modules share them', async () => {
    const lab = await workspaceLab()
    const sharing = `
      const { openStore, CortextError } = require('cortext')
      import('cortext').then(async (module) => {
        console.log(module.openStore === openStore && module.CortextError === CortextError)
        await openStore('/').catch((error) => console.log(error instanceof CortextError, error.code))
      })`
    const ran = spawnSync(process.execPath, ['-e', sharing], { cwd: ROOT, encoding: 'utf8' })
    expect(ran).toMatchObject({ stdout: 'true\ntrue no-workspace\n', stderr: '' })
    const careless = `require('cortext').openStore(${JSON.stringify(lab.home)})`
    const uncaught = spawnSync(process.execPath, ['-e', careless], { cwd: ROOT, encoding: 'utf8' })
    expect(uncaught.stderr).toMatch(/CortextError: no workspace at or above .*$/m)
    expect(uncaught.stderr.length, 'no page of our code').toBeLessThan(2000)
    await expect(openStore(lab.home)).rejects.toMatchObject({ code: 'no-workspace', fix: 'cortext init' })
    const store = await openStore(lab.root)
    const failures = [
      () => store.conversation(''),
      () => store.conversation('x'.repeat(501)),
      () => store.conversation('ghp_h7Tq2LxW9vKd4RzB8nYc1MfJ6sGp3UaE5wXo'),
      () => store.conversation('k').append([]),
      () => store.conversation('k').append([{ role: 'robot', content: '' }]),
      () => store.conversation('k').context({ budget: -1 }),
      () => store.conversation('k').context({ strategy: 'luck' }),
    ]
    for (const fails of failures) {
      const error = await Promise.resolve()
        .then(fails)
        .catch((thrown: unknown) => thrown)
      expect(error, String(fails)).toBeInstanceOf(CortextError)
      expect(error).toMatchObject({ code: 'usage', fix: expect.any(String) })
    }
    expect((await lab.json<{ conversations: [] }>(['list', '--json'])).conversations).toEqual([])
  })

  // promise: The workspace is one that `cortext init` has made.
  test('each method gives the error codes that its docstring names', async () => {
    const lab = await workspaceLab()
    const store = await openStore(lab.root)
    const chat = store.conversation('errors')
    const { id, path } = await chat.append([{ id: 'm1', role: 'user', content: 'Hello' }])
    const again = [{ role: 'user', content: 'And now?' }]
    await expect(chat.append([{ id: 'm1', role: 'user', content: 'Bye' }])).rejects.toMatchObject({
      code: 'refused',
    })

    await lab.cortext(['edit', id, '--status', 'completed'])
    await expect(chat.append(again)).rejects.toMatchObject({ code: 'refused' })
    await expect(chat.clear()).rejects.toMatchObject({ code: 'refused' })

    const session = join(lab.root, path, '.session', 'session.json')
    writeFileSync(session, readFileSync(session, 'utf8').replace('"version": "1.0"', '"version": "2.0"'))
    await expect(chat.append(again)).rejects.toMatchObject({ code: 'newer-version' })
    await expect(chat.clear()).rejects.toMatchObject({ code: 'newer-version' })
    expect(await chat.messages()).toHaveLength(1)

    const lines = join(lab.root, path, '.session', 'messages.jsonl')
    renameSync(lines, `${lines}.elsewhere`)
    symlinkSync(`${lines}.elsewhere`, lines)
    await expect(chat.messages()).rejects.toMatchObject({ code: 'unsafe-path' })
    await expect(chat.context()).rejects.toMatchObject({ code: 'unsafe-path' })
    rmSync(lines)
    mkdirSync(lines)
    await expect(chat.messages()).rejects.toMatchObject({ code: 'unsafe-path' })

    writeFileSync(join(lab.root, '.workspace', 'config.json'), '{ "visibility": 7 }')
    await expect(openStore(lab.root)).rejects.toMatchObject({ code: 'corrupt' })
  })
})
