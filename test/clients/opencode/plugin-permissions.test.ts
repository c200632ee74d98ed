import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
// @ts-expect-error: built from src/clients/opencode/plugin/, plain JavaScript, which OpenCode loads as it is.
import plugin from '../../../dist/opencode-plugin.js'
import { tempFolder } from '../../helpers/repository.ts'
import { fakeOpenCode, SESSION } from './fake-opencode.ts'

describe('what the plugin of OpenCode allows without asking', () => {
  // promise: as the whole line, where
  it('allows the calls of the commands where the person is asked, and never against rules of theirs', async () => {
    const ours = { 'cortext agent *': 'allow' }
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
    'cortext agent list',
    'cortext agent search \'a > b\' --type plan "c; d"',
    'cortext agent search Überblick',
    'cortext agent resume --part 2',
    'cortext agent stop --summary "it\'s x > y; z"',
    'git log --grep cortext > f',
    'cortext delete 001 > f',
    'cortext list > f',
  ])('leaves one call of cortext, and what no rule of ours fits, to the rules: %s', async (command) => {
    expect(await (await started({ permission: { bash: 'ask' } })).run(command)).toBe(command)
  })

  it.each([
    ...[
      'cortext agent list > f',
      'cortext agent list 2>&1',
      'cortext agent list >> f',
      'cortext agent show <f',
      'cortext agent list >(id)',
    ],
    ...[
      'cortext agent list | cortext agent list > f',
      'cortext agent list && rm f',
      'cortext agent list; rm f',
      'cortext agent list & rm f',
    ],
    ...[
      '(cortext agent list) > f',
      '{ cortext agent list; } > f',
      'if cortext agent list; then cortext agent list; fi > f',
    ],
    ...[
      'cortext agent show $(rm f)',
      'cortext agent show "`rm f`"',
      'cortext agent show "$HOME"',
      'X=1 cortext agent list',
    ],
    ...[
      'cortext agent list\nrm f',
      "cortext agent show 'a'\\''b",
      "cortext agent show 'a",
      'PATH=/x\ncortext agent list > f',
    ],
    "cortext agent save <<'E'\na\nE\nrm f\nE",
    "cortext agent save <<'E' > f\na\nE",
    'cortext agent save <<E\n$(rm f)\nE',
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
