import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { withWorktree } from '../../helpers/with-worktree.ts'
import { filesBelow, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

test('a workspace in a sub-folder is in a new worktree too', async () => {
  const lab = await workspaceLab({ init: 'none' })
  const below = join(lab.root, 'packages/pear')
  mkdirSync(join(below, 'src'), { recursive: true })
  writeFileSync(join(below, 'src/a.txt'), 'a\n')
  lab.git('add', '--all', '--', 'packages')
  lab.git('commit', '--quiet', '--message=packages')
  await lab.json(['init', '--private', '--in', 'claude', '--json'], { cwd: below })
  const claude = new ClaudeSession(lab, below)
  await claude.command('workspace.plan', 'Pears')
  await claude.turn('in the package')
  await lab.json(['stop', '--json'], { cwd: below, env: claude.env })
  const root = `${lab.root}-worktree`
  lab.git('worktree', 'add', '--quiet', root)
  const there = join(root, 'packages/pear')
  expect((await lab.cortext(['list'], { cwd: join(there, 'src') })).stdout).toContain('Pears')
  expect(existsSync(join(there, '.workspace/config.json'))).toBe(true)
  expect(existsSync(join(root, '.workspace'))).toBe(false)
  expect((await lab.cortext(['list'], { cwd: root })).stderr).toContain('no workspace at or above')
  expect(lab.git('-C', root, 'status', '--porcelain')).toBe('')
})

test('an agent that calls on its own sets up nothing', async () => {
  const { there } = await withWorktree()
  expect((await there.cortext(['agent', 'list'])).code).toBe(1)
  expect(existsSync(join(there.root, '.workspace'))).toBe(false)
})

// promise: or a `/workspace` command with the personal set-up
test.each([
  [
    'in a client with the personal set-up, in any new worktree',
    undefined,
    ['init', '--personal', '--in', 'claude', '--json'],
  ],
  ['in a worktree below the project', '.claude/worktrees/x', ['list', '--json']],
])('a command is enough %s', async (_, below, before) => {
  const { lab, there } = await withWorktree(below)
  await lab.json(before)
  const claude = new ClaudeSession(there)
  await claude.command('workspace.plan', 'Figs')
  await claude.turn('in the worktree')
  const { path } = await there.json<{ path: string }>(['stop', '--json'], { env: claude.env })
  expect(filesBelow(join(there.root, path))['plan.md']).toContain('Figs')
  expect(talk(await shown(lab, '001')).join()).toContain('in the worktree')
})

// Gemini CLI runs the agent's call of /workspace.resume before any hook of that prompt.
test('programs that are the first in a new worktree at the same moment set it up together', async () => {
  const { there } = await withWorktree()
  const all = await Promise.all([1, 2, 3, 4].map(() => there.cortext(['list'])))
  expect(
    all.map(({ code, stderr }) => ({ code, stderr: stderr.replace(/^.*set up here too.*\n/gm, '') })),
  ).toEqual(all.map(() => ({ code: 0, stderr: '' })))
})

test('a client that opens in a new worktree may call an agent verb at once', async () => {
  const { lab, there } = await withWorktree()
  const earlier = new ClaudeSession(lab)
  await earlier.command('workspace.plan', 'Pears')
  await lab.json(['stop', '--json'], { env: earlier.env })
  const claude = new ClaudeSession(there)
  await claude.hook('SessionStart', { source: 'startup' })
  const { stdout } = await there.cortext(['agent', 'resume', '--query', 'Pears'], { env: claude.env })
  expect(stdout).toContain('[RESUMED CONVERSATION]')
  await lab.json(['uninstall', '--json'])
  rmSync(join(there.root, '.workspace'), { recursive: true })
  await new ClaudeSession(there).hook('SessionStart', { source: 'startup' })
  expect(existsSync(join(there.root, '.workspace'))).toBe(false)
})

test('a repository in which nobody has made a workspace gets none, and neither does a stranger who brings the files of one', async () => {
  const lab = await workspaceLab({ init: 'none' })
  mkdirSync(join(lab.root, '.git/cortext/workspace/.workspace'), { recursive: true })
  writeFileSync(
    join(lab.root, '.git/cortext/workspace/.workspace/config.json'),
    '{ "visibility": "private" }\n',
  )
  const { code, stderr } = await lab.cortext(['list'])
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no workspace at or above'),
  })
  expect(existsSync(join(lab.root, '.workspace'))).toBe(false)
})
