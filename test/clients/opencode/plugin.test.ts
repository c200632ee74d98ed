import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
// @ts-expect-error: built from src/clients/opencode/plugin/, plain JavaScript, which OpenCode loads as it is.
import plugin from '../../../dist/opencode-plugin.js'
import { opencode } from '../../../src/clients/opencode/index.ts'
import { putProgram, WRONG_CORTEXTS } from '../../helpers/stand-ins.ts'
import { fakeOpenCode, SESSION as ID } from './fake-opencode.ts'
import { read } from './transcript.ts'

const PATH = process.env.PATH
/** The plugin waits a moment before it tells. */
const SHOWN = { timeout: 10_000 }
let home: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cortext-plugin-'))
  vi.stubEnv('XDG_DATA_HOME', join(home, 'data'))
  vi.stubEnv('PATH', [join(home, 'bin'), PATH].join(delimiter))
})
afterEach(() => void vi.unstubAllEnvs())

/** What the plugin handed to `cortext hook opencode`, in order. */
const handed = () =>
  readFileSync(join(home, 'handed'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).event)

function putCortext(answer = '{}', { workspace = true } = {}): void {
  mkdirSync(join(home, 'bin'))
  if (workspace) mkdirSync(join(home, '.workspace'))
  const path = join(home, 'bin', 'cortext')
  writeFileSync(path, `#!/bin/sh\ncat >> '${home}/handed'\necho >> '${home}/handed'\necho '${answer}'\n`)
  chmodSync(path, 0o755)
}

const transcript = () =>
  opencode.sessions.transcriptPath(
    { cwd: home, home, env: process.env, now: () => new Date(), interactive: false },
    home,
    ID,
  )
const idle = { event: { type: 'session.idle', properties: { sessionID: ID } } }
const typed = (text: string) => ({ parts: [{ type: 'text', text } as Record<string, unknown>] })

describe('the plugin of OpenCode', () => {
  it('has the shape that OpenCode 1.18 loads', () => {
    expect(plugin).toEqual({ id: 'cortext', server: expect.any(Function) })
  })

  it('does nothing in a session that has nothing to do with cortext', async () => {
    putCortext()
    const { client, say } = fakeOpenCode(home)
    const hooks = await plugin.server({ client, directory: home })
    say('msg_1', 'user', 'hello')
    await hooks['chat.message']({ sessionID: ID }, { message: { id: 'msg_2' } })
    await hooks['tool.execute.before']({ tool: 'bash', sessionID: ID }, { args: { command: 'ls' } })
    await hooks.event(idle)
    await hooks.dispose()
    expect(existsSync(transcript())).toBe(false)
    expect(existsSync(join(home, 'handed'))).toBe(false)
  })

  it('records from the command on, shows what was typed, and appends only what is new', async () => {
    putCortext('{"agent":"[cortext] open"}')
    const { client, say, messages } = fakeOpenCode(home)
    const hooks = await plugin.server({ client, directory: home })
    const output = typed('BODY')
    await hooks['command.execute.before'](
      { command: 'workspace.plan', sessionID: ID, arguments: 'the "week" $(id)' },
      output,
    )
    expect(output.parts).toMatchObject([
      { text: '/workspace.plan the "week" $(id)', ignored: true },
      { text: 'BODY', synthetic: true },
      { text: '[cortext] open', synthetic: true },
    ])
    messages.push({
      info: { id: 'msg_1', sessionID: ID, role: 'user', time: { created: 1 } } as { id: string },
      parts: output.parts,
    })
    say('msg_2', 'assistant', 'Let us.')
    await hooks.event(idle)
    await hooks.event(idle)
    await hooks.dispose()
    expect(handed()).toEqual(['command', 'turn-end', 'turn-end', 'session-end'])
    const lines = readFileSync(transcript(), 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).id)).toEqual([ID, 'msg_1', 'msg_2'])
    expect(read(readFileSync(transcript())).messages.map(({ content }) => content)).toEqual([
      '/workspace.plan the "week" $(id)',
      'Let us.',
    ])
  })

  // promise: plugins look for themselves, and start nothing there but for a command of ours
  it('leaves nothing in a folder that is no workspace, where a command only gets the answer of cortext', async () => {
    putCortext('{"agent":"[cortext] Not recorded"}', { workspace: false })
    const { client, say } = fakeOpenCode(home)
    const hooks = await plugin.server({ client, directory: home })
    const output = typed('BODY')
    const before = readdirSync(home)
    await hooks['command.execute.before'](
      { command: 'workspace.plan', sessionID: ID, arguments: 'x' },
      output,
    )
    expect(output.parts.at(-1)).toMatchObject({ text: '[cortext] Not recorded', synthetic: true })
    say('msg_1', 'user', 'hello')
    await hooks['tool.execute.before'](
      { tool: 'bash', sessionID: ID },
      { args: { command: 'cortext agent list' } },
    )
    await hooks.event(idle)
    await hooks.dispose()
    expect(handed()).toEqual(['command'])
    expect(existsSync(transcript())).toBe(false)
    expect(readdirSync(home).filter((name) => !before.includes(name))).toEqual(['handed'])
  })

  it('leaves a session to the file of the project, wherever OpenCode was started in it', async () => {
    putCortext()
    const { client } = fakeOpenCode(home)
    const inner = join(home, 'a', 'b')
    mkdirSync(inner, { recursive: true })
    mkdirSync(join(home, '.opencode/plugins'), { recursive: true })
    writeFileSync(join(home, '.opencode/plugins/cortext.js'), '')
    for (const directory of [home, inner]) expect(await plugin.server({ client, directory })).toEqual({})
    const copy = join(home, '.opencode/plugins/cortext.js')
    copyFileSync(join(import.meta.dirname, '../../../dist/opencode-plugin.js'), copy)
    const own = (await import(pathToFileURL(copy).href)).default
    expect(Object.keys(await own.server({ client, directory: inner }))).toContain('event')
  })

  it('leaves to the file of the project also the session that `cortext resume` opens', async () => {
    putCortext()
    vi.stubEnv('CORTEXT_OFFLINE', '1')
    vi.stubEnv('CORTEXT_OPENED', ID)
    mkdirSync(join(home, '.opencode/plugins'), { recursive: true })
    writeFileSync(join(home, '.opencode/plugins/cortext.js'), '')
    const { client } = fakeOpenCode(home)
    expect(await plugin.server({ client, directory: home })).toEqual({})
    expect(process.env.CORTEXT_OPENED).toBe(ID)
  })

  it('continues where another process of OpenCode ended, and writes down what was taken back', async () => {
    putCortext()
    const { client, say, messages } = fakeOpenCode(home)
    say('msg_1', 'user', 'one')
    const cortext = [{ tool: 'bash', sessionID: ID }, { args: { command: 'cortext stop' } }]
    await (await plugin.server({ client, directory: home }))['tool.execute.before'](...cortext)
    messages.pop()
    say('msg_2', 'user', 'another')
    await (await plugin.server({ client, directory: home }))['tool.execute.before'](...cortext)
    const events = read(readFileSync(transcript())).messages.map(({ event, content }) => event ?? content)
    expect(events).toEqual(['one', 'rewound', 'another'])
  })

  it('writes what the agent said before a call of cortext while the call runs, as OpenCode knows it only then', async () => {
    putCortext()
    const { client, say } = fakeOpenCode(home)
    say('msg_1', 'user', 'REST it is. Let us stop.')
    const hooks = await plugin.server({ client, directory: home })
    await hooks['tool.execute.before'](
      { tool: 'bash', sessionID: ID },
      { args: { command: 'cortext agent stop' } },
    )
    say('msg_2', 'assistant', 'REST is decided.')
    await expect.poll(() => readFileSync(transcript(), 'utf8'), SHOWN).toContain('REST is decided.')
  })

  it('leaves everything as it is where cortext is missing, and says so once', async () => {
    vi.stubEnv('PATH', join(home, 'nothing'))
    const { client, toasts } = fakeOpenCode(home)
    const hooks = await plugin.server({ client, directory: home })
    const output = typed('BODY')
    for (const command of ['workspace.plan', 'workspace.debug'])
      await hooks['command.execute.before']({ command, sessionID: ID, arguments: '' }, output)
    expect(output.parts).toEqual([{ type: 'text', text: 'BODY' }])
    await expect.poll(() => toasts, SHOWN).toEqual([expect.stringContaining('is not being recorded')])
  })

  it.each(Object.entries(WRONG_CORTEXTS).filter(([, script]) => !script.includes('"decision"')))(
    'leaves everything as it is with %s, and says so once',
    async (_what, script) => {
      putProgram(join(home, 'bin'), 'cortext', script)
      const { client, toasts, say } = fakeOpenCode(home)
      const hooks = await plugin.server({ client, directory: home })
      const output = typed('BODY')
      for (const command of ['workspace.plan', 'workspace.debug'])
        await hooks['command.execute.before']({ command, sessionID: ID, arguments: '' }, output)
      say('msg_1', 'user', 'hello')
      await hooks['chat.message']({ sessionID: ID }, { message: { id: 'msg_2' } })
      await hooks.event(idle)
      await hooks.dispose()
      expect(output.parts).toEqual([{ type: 'text', text: 'BODY' }])
      await expect
        .poll(() => toasts, SHOWN)
        .toEqual([expect.stringMatching(/not being recorded.*cortext doctor/)])
    },
  )

  it('gives the agent nothing of an answer that is not ours', async () => {
    for (const answer of ['{"agent":{"text":"x"},"person":7}', '{"decision":"block"}']) {
      putProgram(join(home, 'bin'), 'cortext', `echo '${answer}'`)
      const { client, toasts } = fakeOpenCode(home)
      const hooks = await plugin.server({ client, directory: home })
      const output = typed('BODY')
      await hooks['command.execute.before'](
        { command: 'workspace.plan', sessionID: ID, arguments: '' },
        output,
      )
      expect(output.parts).toMatchObject([{ text: '/workspace.plan' }, { text: 'BODY' }])
      expect(toasts).toEqual([])
    }
  })

  it('stops waiting for a cortext that hangs, whatever that leaves running', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    putProgram(join(home, 'bin'), 'cortext', `echo $$ > '${home}/pid'; sleep 30; :`)
    const { client, toasts } = fakeOpenCode(home)
    const hooks = await plugin.server({ client, directory: home })
    const output = typed('BODY')
    const done = hooks['command.execute.before'](
      { command: 'workspace.plan', sessionID: ID, arguments: '' },
      output,
    )
    while (!existsSync(join(home, 'pid'))) await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(15_000)
    await done
    await vi.advanceTimersByTimeAsync(1_000)
    expect(output.parts).toEqual([{ type: 'text', text: 'BODY' }])
    expect(toasts).toEqual([expect.stringContaining('cortext doctor')])
  })

  it('breaks no turn when OpenCode itself gives no answer, or has no terminal UI', async () => {
    putCortext()
    const broken = async () => {
      throw new Error('gone')
    }
    const client = { session: { get: broken, messages: broken } }
    const hooks = await plugin.server({ client, directory: home })
    const output = typed('BODY')
    await hooks['command.execute.before']({ command: 'workspace.plan', sessionID: ID, arguments: '' }, output)
    await hooks['chat.message']({ sessionID: ID }, { message: { id: 'msg_2' } })
    await hooks['shell.env']({ sessionID: ID }, { env: {} })
    await hooks['tool.execute.before']({ tool: 'bash', sessionID: ID }, { args: { command: 'cortext list' } })
    await hooks.event(idle)
    await hooks.dispose()
    expect(output.parts).toEqual([{ type: 'text', text: 'BODY' }])
  })

  it('records a session that cortext has seeded from its first message on, and passes on no variable that only the start needed', async () => {
    putCortext()
    vi.stubEnv('CORTEXT_OFFLINE', '1')
    vi.stubEnv('npm_config_offline', 'true')
    const { client, say } = fakeOpenCode(home, { metadata: { cortext: { seed: true } } })
    const hooks = await plugin.server({ client, directory: home })
    expect(process.env).not.toHaveProperty('npm_config_offline')
    say('msg_1', 'user', 'THE SEED')
    await hooks['chat.message']({ sessionID: ID }, { message: { id: 'msg_2' } })
    say('msg_2', 'user', 'go on')
    await hooks.event(idle)
    expect(handed()).toEqual(['turn-start', 'turn-end'])
    expect(read(readFileSync(transcript())).messages.map(({ content }) => content)).toEqual([
      'THE SEED',
      'go on',
    ])
  })
})
