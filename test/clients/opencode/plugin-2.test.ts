import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { opencode } from '../../../src/clients/opencode/index.ts'
import { script } from '../claude/transcript.ts'
import { read } from './transcript.ts'

const ID = 'ses_a'
const PATH = process.env.PATH
const command = { name: 'workspace.plan', description: 'd', argumentHint: '', body: 'Plan $ARGUMENTS well.' }
let home: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cortext-plugin-2-'))
  vi.stubEnv('XDG_DATA_HOME', join(home, 'data'))
  vi.stubEnv('PATH', [join(home, 'bin'), PATH].join(delimiter))
  const shipped = (path: string) => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8')
  // OpenCode takes every file for a module.
  const files = [...opencode.pack.files!(shipped), opencode.pack.command(command)]
  for (const { path, content } of [...files, { path: 'package.json', content: '{"type":"module"}' }]) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), content)
  }
})
afterEach(() => void vi.unstubAllEnvs())

function putCortext(answer = '{}'): void {
  mkdirSync(join(home, 'bin'))
  const path = join(home, 'bin', 'cortext')
  writeFileSync(path, `#!/bin/sh\ncat >> '${home}/handed'\necho >> '${home}/handed'\necho '${answer}'\n`)
  chmodSync(path, 0o755)
}

/** What the plugin handed to `cortext hook opencode`, in order. */
const handed = () =>
  existsSync(join(home, 'handed'))
    ? readFileSync(join(home, 'handed'), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    : []

const transcript = () => join(home, 'data', 'cortext', 'opencode', `${ID}.jsonl`)

/**
 * The plugin context of OpenCode 2, as its public sources have it (packages/plugin/src/promise, packages/schema):
 * hooks are registered by name and are given a mutable event; events carry their payload under `data`.
 */
function standIn({ directory = home, sessions = {} as Record<string, object>, after = 0 } = {}) {
  const messages: Record<string, Record<string, unknown>[]> = {}
  const hooks: Record<string, (event: never) => Promise<void>> = {}
  const waiting: ((event: object) => void)[] = []
  const events: object[] = []
  const domain = (name: string) => ({
    hook: async (hook: string, callback: (event: never) => Promise<void>) => {
      hooks[`${name}.${hook}`] = callback
      return { dispose: async () => {} }
    },
  })
  const ctx = {
    app: { version: '2.2.0' },
    options: {},
    location: { directory: home },
    session: {
      ...domain('session'),
      get: async ({ sessionID }: { sessionID: string }) => ({
        id: sessionID,
        title: 'T',
        location: { directory },
        ...sessions[sessionID],
      }),
      context: async ({ sessionID }: { sessionID: string }) => structuredClone(messages[sessionID] ?? []),
    },
    tool: domain('tool'),
    shell: domain('shell'),
    event: {
      async *subscribe() {
        for (;;) yield events.shift() ?? (await new Promise<object>((resolve) => waiting.push(resolve)))
      },
    },
  }
  let count = after
  const user = (text: string, more: object = {}) => push({ type: 'user', text, ...more })
  const push = (message: object, sessionID = ID) => {
    const made = {
      id: `msg_${String(++count).padStart(4, '0')}`,
      time: { created: count * 1000 },
      ...message,
    }
    messages[sessionID] = [...(messages[sessionID] ?? []), made]
    return made
  }
  const answer = (content: object[] | string, sessionID = ID) =>
    push(
      {
        type: 'assistant',
        agent: 'build',
        model: { id: 'scripted', providerID: 'fake' },
        content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
        finish: typeof content === 'string' ? 'stop' : 'tool-calls',
      },
      sessionID,
    )
  return {
    ctx,
    hooks,
    user,
    push,
    answer,
    /** A person's prompt: the hook may change it, then it is a message. */
    async prompt(text: string) {
      const event = {
        sessionID: ID,
        messageID: 'msg_9999',
        prompt: { text },
        delivery: 'steer',
        metadata: undefined,
      }
      await hooks['session.prompt']?.(event as never)
      user(event.prompt.text, event.metadata === undefined ? {} : { metadata: event.metadata })
      return event
    },
    /** Returns once the hook is handed this event. */
    async emit(type: string, sessionID = ID) {
      const event = { id: 'evt', created: 0, type, data: { sessionID } }
      const next = waiting.shift()
      if (next === undefined) events.push(event)
      else next(event)
    },
  }
}

async function load() {
  const path = join(home, '.opencode', 'plugins', 'cortext.js')
  return (await import(/* @vite-ignore */ pathToFileURL(path).href)).default
}

const eventsHanded = () => handed().map(({ event }) => event)

describe('the plugin in OpenCode 2', () => {
  it('does nothing with the context that 1.18 gives it, which has no sessions', async () => {
    expect(await (await load()).setup({ options: {}, agent: {}, command: {} })).toBeUndefined()
  })

  it('leaves a session alone that has nothing to do with cortext', async () => {
    putCortext()
    const { ctx, prompt, answer, emit } = standIn()
    const end = await (await load()).setup(ctx)
    expect((await prompt('hello')).prompt.text).toBe('hello')
    answer('hi')
    await emit('session.execution.succeeded')
    await end()
    expect(existsSync(transcript())).toBe(false)
    expect(handed()).toEqual([])
  })

  it('records from the command on, as it was typed, turn by turn, with the tools', async () => {
    putCortext('{"agent":"[cortext] open"}')
    const { ctx, prompt, answer, emit, push } = standIn()
    const end = await (await load()).setup(ctx)
    const event = await prompt('Plan the "week" $(id) well.')
    expect(event.prompt.text).toBe('Plan the "week" $(id) well.\n\n[cortext] open')
    const state = {
      status: 'completed',
      input: { command: 'ls' },
      content: [{ type: 'text', text: 'a.txt' }],
    }
    answer([{ type: 'tool', id: 'c1', name: 'shell', state, time: { created: 1, completed: 2 } }])
    answer('One file.')
    push({ type: 'idle', outcome: 'succeeded' })
    await emit('session.execution.succeeded')
    await expect.poll(eventsHanded).toEqual(['command', 'turn-end'])
    await prompt('and now')
    await end()
    expect(eventsHanded()).toEqual(['command', 'turn-end', 'turn-start', 'session-end'])
    expect(handed()[0]).toMatchObject({ command: 'workspace.plan', args: 'the "week" $(id)', session: ID })
    const reading = read(readFileSync(transcript()))
    expect(script(reading)).toEqual([
      'user: /workspace.plan the "week" $(id)',
      'assistant: ',
      'tool shell: a.txt',
      'assistant: One file.',
      'user: and now',
    ])
    expect(reading.report.unknown).toEqual({})
    expect(reading.facts).toMatchObject({
      model: 'fake/scripted',
      title: 'T',
      cwd: home,
      clientVersion: '2.2.0',
    })
  })

  it('goes on where another process left off, and takes nothing as removed that a compaction hides', async () => {
    putCortext()
    const first = standIn()
    const end = await (await load()).setup(first.ctx)
    await first.prompt('Plan it well.')
    first.answer('Yes.')
    await end()
    const later = standIn({ after: 2 })
    later.push({
      type: 'compaction',
      status: 'completed',
      reason: 'manual',
      summary: 'We plan.',
    })
    const again = await (await load()).setup(later.ctx)
    await later.prompt('go on')
    await again()
    expect(script(read(readFileSync(transcript())))).toEqual([
      'user: /workspace.plan it',
      'assistant: Yes.',
      'compacted: ',
      'user: go on',
    ])
  })

  it('keeps a subagent under its call, and names the session to the shell that calls cortext', async () => {
    putCortext()
    const { ctx, hooks, prompt, answer, user } = standIn({ sessions: { ses_child: { parentID: ID } } })
    const end = await (await load()).setup(ctx)
    await prompt('Plan it well.')
    const state = {
      status: 'completed',
      input: { prompt: 'x' },
      content: [{ type: 'text', text: 'done' }],
      metadata: { sessionID: 'ses_child' },
    }
    answer([{ type: 'tool', id: 'c1', name: 'subagent', state, time: { created: 1 } }])
    answer('did it', 'ses_child')
    user('never mind')
    const input = { command: 'cortext stop' }
    await hooks['tool.execute.before']!({ tool: 'shell', sessionID: 'ses_child', input } as never)
    const shell = { command: 'cortext stop', env: {} as Record<string, string> }
    await hooks['shell.create.before']!(shell as never)
    await end()
    expect(opencode.sessions.insideOf!(shell.env)).toBe(ID)
    const reading = read(readFileSync(transcript()))
    expect(script({ messages: reading.subagents.c1! })).toEqual(['assistant: did it'])
  })

  it('leaves the sessions of other projects alone, and a prompt as it is where cortext is missing', async () => {
    vi.stubEnv('PATH', join(home, 'nothing'))
    const { ctx, prompt } = standIn()
    await (await load()).setup(ctx)
    expect(await prompt('Plan it well.')).toMatchObject({
      prompt: { text: 'Plan it well.' },
      metadata: undefined,
    })
    vi.stubEnv('PATH', [join(home, 'bin'), PATH].join(delimiter))
    putCortext()
    const elsewhere = standIn({ directory: tmpdir() })
    await (await load()).setup(elsewhere.ctx)
    await elsewhere.prompt('Plan it well.')
    expect(handed()).toEqual([])
  })

  it('is loaded and can be unloaded where a hook cannot be registered', async () => {
    putCortext()
    const { ctx } = standIn()
    ctx.session.hook = async () => {
      throw new Error('no such hook')
    }
    const end = await (await load()).setup(ctx)
    expect(await end()).toBeUndefined()
  })

  it('keeps raw what its rules do not know', async () => {
    putCortext()
    const { ctx, prompt, push } = standIn()
    const end = await (await load()).setup(ctx)
    await prompt('Plan it well.')
    push({ type: 'hologram', data: 1 })
    push({ type: 'synthetic', text: 'a note' })
    await end()
    const reading = read(readFileSync(transcript()))
    expect(reading.messages.find(({ event }) => event === 'unknown')?.raw).toMatchObject({
      parts: [{ type: 'hologram', data: 1 }],
    })
    expect(Object.keys(reading.report.dropped)).toEqual(['client-note'])
  })
})
