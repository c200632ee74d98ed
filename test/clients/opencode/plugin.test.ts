import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { ALLOWED_CALLS } from '../../../src/clients/allowed-calls.ts'
import { opencode } from '../../../src/clients/opencode/index.ts'
// @ts-expect-error: plain JavaScript, which OpenCode loads as it is.
import plugin from '../../../templates/opencode/cortext.js'
import { putProgram, WRONG_CORTEXTS } from '../../helpers/stand-ins.ts'
import { read } from './transcript.ts'

const ID = 'ses_a'
const before = { ...process.env }
/** The plugin waits a moment before it tells. */
const SHOWN = { timeout: 10_000 }
let home: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cortext-plugin-'))
  process.env.XDG_DATA_HOME = join(home, 'data')
  process.env.PATH = [join(home, 'bin'), before.PATH].join(delimiter)
})
afterEach(() => {
  process.env = { ...before }
})

/** What the plugin handed to `cortext hook opencode`, in order. */
const handed = () =>
  readFileSync(join(home, 'handed'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).event)

function putCortext(answer = '{}'): void {
  mkdirSync(join(home, 'bin'))
  const path = join(home, 'bin', 'cortext')
  writeFileSync(path, `#!/bin/sh\ncat >> '${home}/handed'\necho >> '${home}/handed'\necho '${answer}'\n`)
  chmodSync(path, 0o755)
}

/** An OpenCode in which these messages were said; `toasts` are what its person sees. */
function fakeOpenCode(info: object = {}) {
  const messages: { info: { id: string }; parts: object[] }[] = []
  const toasts: string[] = []
  const client = {
    session: {
      get: async () => ({ data: { id: ID, title: 'T', directory: home, version: '1', ...info } }),
      messages: async () => ({ data: structuredClone(messages) }),
    },
    tui: { showToast: async ({ body }: { body: { message: string } }) => void toasts.push(body.message) },
  }
  const say = (id: string, role: string, text: string) =>
    messages.push({
      info: { id, sessionID: ID, role, time: { created: 1 } } as { id: string },
      parts: [{ id: `prt_${id}`, type: 'text', text }],
    })
  return { client, messages, toasts, say }
}

const transcript = () =>
  opencode.transcriptPath(
    { cwd: home, home, env: process.env, now: () => new Date(), interactive: false },
    home,
    ID,
  )
const idle = { event: { type: 'session.idle', properties: { sessionID: ID } } }
const typed = (text: string) => ({ parts: [{ type: 'text', text } as Record<string, unknown>] })

describe('the plugin of OpenCode', () => {
  it('has the shape that both majors load', () => {
    expect(plugin).toMatchObject({ id: 'cortext', server: expect.any(Function), setup: expect.any(Function) })
  })

  it('does nothing in a session that has nothing to do with cortext', async () => {
    putCortext()
    const { client, say } = fakeOpenCode()
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
    const { client, say, messages } = fakeOpenCode()
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

  it('goes on where another process of OpenCode left off, and writes down what was taken back', async () => {
    putCortext()
    const { client, say, messages } = fakeOpenCode()
    say('msg_1', 'user', 'one')
    const cortext = [{ tool: 'bash', sessionID: ID }, { args: { command: 'cortext stop' } }]
    await (await plugin.server({ client, directory: home }))['tool.execute.before'](...cortext)
    messages.pop()
    say('msg_2', 'user', 'another')
    await (await plugin.server({ client, directory: home }))['tool.execute.before'](...cortext)
    const events = read(readFileSync(transcript())).messages.map(({ event, content }) => event ?? content)
    expect(events).toEqual(['one', 'rewound', 'another'])
  })

  it('leaves everything as it is where cortext is missing, and says so once', async () => {
    process.env.PATH = join(home, 'nothing')
    const { client, toasts } = fakeOpenCode()
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
      const { client, toasts, say } = fakeOpenCode()
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
      const { client, toasts } = fakeOpenCode()
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

  it('waits for a cortext that hangs no longer than it has to, whatever that leaves running', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    putProgram(join(home, 'bin'), 'cortext', `echo $$ > '${home}/pid'; sleep 30; :`)
    const { client, toasts } = fakeOpenCode()
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

  it('breaks no turn when OpenCode itself gives no answer, or has nobody to tell', async () => {
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

  it('records a session that cortext has seeded from the first thing said, and lets nobody inherit what its start needed', async () => {
    putCortext()
    process.env.CORTEXT_OFFLINE = '1'
    process.env.npm_config_offline = 'true'
    const { client, say } = fakeOpenCode({ metadata: { cortext: { seed: true } } })
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

  it('allows the calls of the commands where the person is asked, and never against rules of theirs', async () => {
    const ours = Object.fromEntries(ALLOWED_CALLS.map((call) => [`${call}*`, 'allow']))
    expect(JSON.stringify(ours)).not.toMatch(/delete|import|uninstall/)
    for (const [permission, after] of [
      [
        { edit: 'ask', bash: 'ask' },
        { edit: 'ask', bash: { '*': 'ask', ...ours } },
      ],
      [{ bash: { '*': 'ask', 'git *': 'allow' } }, { bash: { '*': 'ask', ...ours, 'git *': 'allow' } }],
      [{ '*': 'ask' }, { '*': 'ask', bash: ours }],
      ['ask', { '*': 'ask', bash: ours }],
      [
        { '*': 'ask', bash: { 'git *': 'deny' } },
        { '*': 'ask', bash: { ...ours, 'git *': 'deny' } },
      ],
      // The same again.
      [{ bash: { '*': 'ask', ...ours } }, { bash: { '*': 'ask', ...ours } }],
    ]) {
      const { config } = await started({ permission })
      expect(config.permission).toEqual(after)
      expect(JSON.stringify(config.permission)).toBe(JSON.stringify(after))
    }
    for (const permission of [
      { bash: 'deny' },
      { '*': 'deny' },
      { '*': 'ask', bash: 'allow' },
      { bash: { 'git *': 'allow' }, '*': 'ask' },
      { bash: { '*': 'ask', 'cortext save*': 'deny' } },
      { bash: { 'rm *': 'ask' } },
      undefined,
    ])
      expect((await started({ permission })).config).toEqual({ permission })
  })

  it.each([
    'cortext list',
    'cortext search \'a > b\' --type plan "c; d"',
    'cortext search Überblick',
    'cortext resume --here --part 2',
    "cortext stop --summary-stdin <<'CORTEXT_SUMMARY'\nuse $(x) > y; z\nCORTEXT_SUMMARY\n",
    'git log --grep cortext > f',
    'cortext delete 001 > f',
  ])('leaves one call of cortext, and what no rule of ours fits, to the rules: %s', async (command) => {
    expect(await (await started({ permission: { bash: 'ask' } })).run(command)).toBe(command)
  })

  it.each([
    ...[
      'cortext list > f',
      'cortext list 2>&1',
      'cortext list >> f',
      'cortext show <f',
      'cortext list >(id)',
    ],
    ...[
      'cortext list | cortext list > f',
      'cortext list && rm f',
      'cortext list; rm f',
      'cortext list & rm f',
    ],
    ...['(cortext list) > f', '{ cortext list; } > f', 'if cortext list; then cortext list; fi > f'],
    ...['cortext show $(rm f)', 'cortext show "`rm f`"', 'cortext show "$HOME"', 'X=1 cortext list'],
    ...['cortext list\nrm f', "cortext show 'a'\\''b", "cortext show 'a", 'PATH=/x\ncortext list > f'],
    "cortext save <<'E'\na\nE\nrm f\nE",
    "cortext save <<'E' > f\na\nE",
    'cortext save <<E\n$(rm f)\nE',
  ])('has the person asked about more than one call: %s', async (command) => {
    const run = await (await started({ permission: { bash: 'ask' } })).run(command)
    expect(run.endsWith(`; ${command}`)).toBe(true)
    // What stands before it is a command of its own, that no rule of ours fits, and does nothing.
    const before = run.slice(0, -command.length)
    expect(before).not.toMatch(/^cortext/)
    expect(execFileSync('bash', ['-c', `${before}echo done`], { encoding: 'utf8' })).toBe('done\n')
    // Who is not asked by OpenCode runs what the agent wrote.
    expect(await (await started({})).run(command)).toBe(command)
  })
})

/** The plugin after OpenCode has read its settings; `run`: what becomes of a shell command of the agent. */
async function started(config: { permission?: unknown }) {
  const hooks = await plugin.server({ client: fakeOpenCode().client, directory: home })
  await hooks.config(config)
  return {
    config,
    async run(command: string) {
      const args = { command }
      await hooks['tool.execute.before']({ tool: 'bash', sessionID: ID }, { args })
      return args.command
    },
  }
}
