import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type ClientId, clientList } from '../../src/clients/index.ts'
import { LONG } from '../helpers/long.ts'
import { openPersonal, openPrivate, openTwice } from './clients-lab.ts'
import { type Lab, SOON } from './lab.ts'
import { allText } from './model-request.ts'
import { tool } from './reply.ts'
import { bodiesIn, saidIn } from './workspace-lab.ts'

const CLIENTS = clientList()
  .filter(({ personal }) => personal !== undefined)
  .map(({ id }) => id as ClientId)

/** What is in the project and is neither git's, nor of the workspace, nor the project's own. */
function strangers(lab: Lab): string[] {
  const known = ['.git', '.gitattributes', '.gitignore', '.workspace', 'conversations', 'note.txt']
  return readdirSync(lab.project).filter((name) => !known.includes(name))
}

/** The usual run leaves out Gemini CLI, which the one below has, and its fork. */
const BY_THEMSELVES = LONG ? CLIENTS : (['claude', 'opencode', 'codex', 'copilot', 'pi'] as const)

describe.each(BY_THEMSELVES)(
  '%s, set up for all workspaces, in a repository without one file of a client',
  (id) => {
    // promise: To have commands and hooks once, in your own settings, for all workspaces
    // promise: Then `cortext init` writes no
    // promise: puts the same commands, hooks and permissions into your own settings, once for all
    // promise: hooks and permissions in `~/.claude/settings.json`
    // promise: a plugin in `~/.config/opencode/plugins/`
    // promise: `~/.gemini/policies/cortext.toml`
    // promise: `~/.codex/rules/cortext.rules`
    // promise: `~/.pi/agent/extensions/cortext.js`
    // promise: `~/.qwen/settings.json`
    // promise: `~/.copilot/hooks/cortext.json`
    // promise: **they are in force
    it('a conversation begins, is recorded once, stopped, listed and resumed', async () => {
      await using lab = await openPersonal(id)
      const client = lab[id]
      expect(readdirSync(join(lab.project, '.workspace'))).toEqual(['config.json'])
      const terminal = await client.open()
      lab.model.when(/API design|\[cortext\] Conversation/, 'What makes this come up now?')
      await client.say(
        terminal,
        `${client.typed('workspace.brainstorm')} API design`,
        'What makes this come up now?',
      )
      lab.model.when('Three teams', client.shell('echo counted'), 'REST, then.')
      await client.say(terminal, 'Three teams call us.', 'REST, then.')
      lab.model.when('stop', client.stop('leaning toward REST'), 'It is paused now.')
      await client.say(terminal, client.typed('workspace.stop-conversation'), 'It is paused now.')
      expect(await client.leave(terminal)).toBe(0)

      expect(bodiesIn(allText(lab.model.requests[0]!))).toBe(1)
      expect(lab.session()).toMatchObject({
        title: 'API design',
        status: 'paused',
        context_summary: 'leaning toward REST',
        agent_config: { client: id },
      })
      expect(saidIn(lab.messages()).filter((line) => line.startsWith('user:'))).toEqual([
        `user: ${client.typed('workspace.brainstorm')} API design`,
        'user: Three teams call us.',
      ])
      expect(lab.messages().filter(({ role }) => role === 'tool')).toHaveLength(1)
      expect((await lab.cortext(['list'])).stdout).toContain('API design')

      const again = lab.terminal(['cortext', 'resume', '1'])
      await client.readyAgain(again)
      lab.model.when('And now, please.', 'Field selection is open.')
      await client.say(again, 'And now, please.', 'Field selection is open.')
      expect(await client.leave(again)).toBe(0)
      expect(saidIn(lab.messages()).at(-1)).toBe('assistant: Field selection is open.')

      expect(
        lab
          .git('ls-files', '--others')
          .split('\n')
          .filter((path) => !/^conversations\//.test(path))
          .join(),
      ).toBe('')
      expect(strangers(lab)).toEqual([])
      expect(
        existsSync(join(lab.project, '.git/info/exclude')) &&
          readFileSync(join(lab.project, '.git/info/exclude'), 'utf8'),
      ).not.toContain('cortext')
    })
  },
)

// Gemini CLI runs the call of this command before any hook of the prompt.
it('in a new worktree, the first words to Gemini CLI may be a resume', async () => {
  await using lab = await openPrivate('gemini')
  for (const more of [['--personal'], []])
    expect((await lab.run(['cortext', 'init', ...more, '--in', 'gemini'])).code).toBe(0)
  await lab.gemini.headless('workspace.brainstorm', 'Pears')
  lab.git('worktree', 'add', '--quiet', '-b', 'other', '../other')
  const cwd = join(lab.folder, 'other')
  await lab.gemini.trust?.(cwd)
  const terminal = lab.terminal(['gemini'], { cwd, cols: 120, rows: 40 })
  await lab.gemini.readyAgain(terminal)
  lab.model.when('RESUMED CONVERSATION', '[Resuming "Pears"] Go on?')
  await lab.gemini.say(terminal, '/workspace.resume pears', 'Go on?')
  lab.model.when('ripe ones', 'The ripe ones.')
  await lab.gemini.say(terminal, 'Only ripe ones.', 'The ripe ones.')
  expect(await lab.gemini.leave(terminal)).toBe(0)
  // The process that the last hook started is saving in the other worktree, and `show` does not wait for it.
  const lastSaid = async () => {
    const { stdout } = await lab.cortext(['show', '1', '--messages', '--json'])
    return saidIn(JSON.parse(stdout).messages).slice(-2)
  }
  await expect.poll(lastSaid, SOON).toEqual(['user: Only ripe ones.', 'assistant: The ripe ones.'])
  expect(lab.git('-C', cwd, 'status', '--porcelain')).toBe('')
})

// promise: Of two commands with one name Claude Code takes yours, Qwen Code and Copilot CLI
it.each([
  ['claude', 'the person', '.claude/commands/workspace.plan.md'],
  ['qwen', 'the project', '.qwen/commands/workspace.plan.md'],
  ['copilot', 'the project', '.github/skills/workspace.plan/SKILL.md'],
] as const)(
  'where a workspace has a command of the same name, %s takes that of %s',
  async (id, whose, path) => {
    await using lab = await openPersonal(id)
    const file = join(lab.project, path)
    mkdirSync(dirname(file), { recursive: true })
    // Without a description a client lists a command by its first line.
    writeFileSync(file, '---\nname: workspace.plan\ndescription: a plan\n---\nTHE BODY OF THE PROJECT\n')
    const terminal = await lab[id].open()
    await lab[id].say(terminal, '/workspace.plan x', 'Scripted answer 1')
    expect(await lab[id].leave(terminal)).toBe(0)
    const asked = allText(lab.model.requests[0]!)
    expect(asked.includes('THE BODY OF THE PROJECT')).toBe(whose === 'the project')
    expect(asked.includes('cortext agent start plan')).toBe(whose === 'the person')
  },
)

// promise: **In a folder that you have not trusted** Copilot CLI, Pi and Qwen Code use your own hooks
// promise: in some clients also in one that you have not trusted
it.each([
  ['copilot', (lab: Lab) => rmSync(join(lab.home, '.copilot/config.json'))],
  ['pi', (lab: Lab) => rmSync(join(lab.home, '.pi/agent/trust.json'))],
  [
    'qwen',
    (lab: Lab) => {
      const file = join(lab.home, '.qwen/settings.json')
      const settings = JSON.parse(readFileSync(file, 'utf8'))
      writeFileSync(
        file,
        JSON.stringify({ ...settings, security: { ...settings.security, folderTrust: { enabled: true } } }),
      )
    },
  ],
] as const)(
  '%s records with a personal set-up in a folder that nobody trusts, and doctor finds no fault',
  async (id, distrust) => {
    await using lab = await openPersonal(id)
    distrust(lab)
    // One client does not expand a command here, and is told where its instructions are.
    const path = join(lab.home, '.copilot/skills/workspace.plan/SKILL.md')
    if (id === 'copilot') lab.model.when('/workspace.plan', tool('view', { path }), 'I have read them.')
    await lab[id].headless('workspace.plan', 'x')
    await lab.settled()
    expect(lab.model.requests.map(allText).join()).toContain('cortext agent start plan')
    expect(saidIn(lab.messages())[0]).toBe('user: /workspace.plan x')
    expect((await lab.cortext(['doctor', '--json'])).stdout).not.toContain('untrusted-folder')
  },
)

it('Claude Code writes documents below the folder in which it was started unasked, and nothing near them', async () => {
  await using lab = await openPersonal('claude')
  const folder = 'conversations/2026-11-22/001-brainstorm-x'
  const paths = [
    `${folder}/brainstorm.md`,
    `${folder}/.session/x.md`,
    `${folder}/CLAUDE.md`,
    `src/${folder}/x.md`,
    'src/x.md',
  ]
  for (const path of paths) mkdirSync(dirname(join(lab.project, path)), { recursive: true })
  const write = (path: string) => tool('Write', { file_path: join(lab.project, path), content: 'x' })
  lab.model.when('Please write.', paths.map(write), 'All were tried.')
  expect((await lab.claude.ask('Please write.')).stdout).toContain('All were tried.')
  expect(paths.filter((path) => existsSync(join(lab.project, path)))).toEqual([paths[0]])
})

/** Two with hooks, one of which minds commands of one name; the long run has all clients. */
const SET_UP_TWICE = LONG ? CLIENTS : (['claude', 'gemini'] as const)

describe.each(SET_UP_TWICE)('%s, set up for all workspaces and in this one too', (id) => {
  // promise: its own hooks record, and each turn is recorded once
  // promise: Gemini CLI renames both, so that neither works
  it('records each turn once, in one conversation', async () => {
    await using lab = await openTwice(id)
    const codes = async (): Promise<string[]> =>
      JSON.parse((await lab.cortext(['doctor', '--json'])).stdout)
        .sections.flatMap(({ findings }: { findings: { code: string; message: string }[] }) => findings)
        .filter(({ message }: { message: string }) => message.startsWith(lab[id].name))
        .map(({ code }: { code: string }) => code)
    expect(await codes()).toContain('set-up-twice')
    if (id === 'gemini') {
      // Where both are, this client renames our commands, so that none of them works.
      expect(await codes()).toContain('duplicate-command')
      expect((await lab.cortext(['init', '--in', id])).code).toBe(0)
      expect(await codes()).toContain('personal')
    }
    const client = lab[id]
    await client.headless('workspace.brainstorm', 'API design')
    await client.goOn('Three teams call us.')
    await lab.settled()
    expect(saidIn(lab.messages())).toEqual([
      `user: ${client.typed('workspace.brainstorm')} API design`,
      'assistant: Scripted answer 1.',
      'user: Three teams call us.',
      'assistant: Scripted answer 2.',
    ])
  })
})
