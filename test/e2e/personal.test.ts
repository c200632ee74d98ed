import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openPersonal, openTwice } from './clients-lab.ts'
import type { Lab } from './lab.ts'
import { allText } from './model-request.ts'
import { tool } from './reply.ts'
import { bodiesIn, saidIn } from './workspace-lab.ts'

const CLIENTS = ['claude', 'gemini', 'codex', 'opencode', 'pi'] as const

/** What is in the project and is neither git's, nor of the workspace, nor the project's own. */
function strangers(lab: Lab): string[] {
  const known = ['.git', '.gitattributes', '.gitignore', '.workspace', 'conversations', 'note.txt']
  return readdirSync(lab.project).filter((name) => !known.includes(name))
}

describe.each(CLIENTS)(
  '%s, set up for all workspaces, in a repository without one file of a client',
  (id) => {
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

it('Claude Code takes the command of the person where a workspace has one of the same name', async () => {
  await using lab = await openPersonal('claude')
  const folder = join(lab.project, '.claude/commands')
  mkdirSync(folder, { recursive: true })
  // Without a description the client lists a command by its first line.
  writeFileSync(join(folder, 'workspace.plan.md'), '---\ndescription: a plan\n---\nTHE BODY OF THE PROJECT\n')
  await lab.claude.headless('workspace.plan', 'x')
  expect(allText(lab.model.requests[0]!)).not.toContain('THE BODY OF THE PROJECT')
  expect(allText(lab.model.requests[0]!)).toContain('cortext agent start plan')
})

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

describe.each(CLIENTS)('%s, set up for all workspaces and in this one too', (id) => {
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
