import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
// @ts-expect-error: built from src/clients/opencode/plugin/, plain JavaScript, which OpenCode loads as it is.
import plugin from '../../../dist/opencode-plugin.js'
import { ALLOWED_CALLS } from '../../../src/clients/setup/allowed-calls.ts'
import { tempFolder } from '../../helpers/repository.ts'
import { fakeOpenCode, SESSION } from './fake-opencode.ts'

describe('what the plugin of OpenCode lets through unasked', () => {
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
  const home = tempFolder()
  const hooks = await plugin.server({ client: fakeOpenCode(home).client, directory: home })
  await hooks.config(config)
  return {
    config,
    async run(command: string) {
      const args = { command }
      await hooks['tool.execute.before']({ tool: 'bash', sessionID: SESSION }, { args })
      return args.command
    },
  }
}
