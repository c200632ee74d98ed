import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { filesBelow, type Lab, workspaceLab } from '../helpers/workspace-lab.ts'

const CLIENTS = ['claude', 'codex', 'gemini', 'opencode']

/** What git would add, as a reviewer sees it. */
function seen(lab: Lab): string[] {
  return lab.git('ls-files', '--others', '--exclude-standard').split('\n').filter(Boolean)
}

/** Everything in the work tree, with its content. */
function worktree(lab: Lab): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filesBelow(lab.root)).filter(([path]) => !path.startsWith('.git/')),
  )
}

describe('what a first commit has', () => {
  // promise: three short files to git: `.workspace/config.json`, `.gitattributes` and `.gitignore`
  test.each([
    [['claude'], 'shared', 3],
    [CLIENTS, 'shared', 3],
    [['claude'], 'private', 0],
    [CLIENTS, 'private', 0],
  ] as const)('init for %j, %s: git sees %d files', async (clients, visibility, count) => {
    const lab = await workspaceLab({ init: 'none' })
    await lab.json(['init', `--${visibility}`, '--in', ...clients, '--json'])
    expect(seen(lab)).toHaveLength(count)
    const bytes = seen(lab).reduce((sum, path) => sum + statSync(join(lab.root, path)).size, 0)
    expect(bytes).toBeLessThan(1024)
    expect(Object.keys(worktree(lab)).length).toBeGreaterThan(10)
  })

  // promise: Git does not see the clients' commands and hooks
  test('a clone says that its clients are not set up until init has run, and then git sees nothing new', async () => {
    const lab = await workspaceLab({ init: 'none' })
    await lab.json(['init', '--shared', '--in', 'claude', '--json'])
    lab.git('add', '--all')
    lab.git('commit', '--quiet', '--message=set up')
    const other = `${lab.root}-clone`
    lab.git('clone', '--quiet', lab.root, other)
    const there = { cwd: other }
    const hint = /No client is set up here, on this machine: .* To set them up: cortext init\n/
    for (const args of [['list'], []]) expect((await lab.cortext(args, there)).stderr).toMatch(hint)
    expect((await lab.cortext(['doctor'], there)).stdout).toContain('no client is set up here')
    const before = filesBelow(other)
    await lab.json(['init', '--in', 'claude', '--json'], there)
    for (const args of [['list'], []]) expect((await lab.cortext(args, there)).stderr).not.toMatch(hint)
    expect(existsSync(join(other, '.claude/commands/workspace.plan.md'))).toBe(true)
    expect(lab.git('-C', other, 'status', '--porcelain')).toBe('')
    await lab.json(['uninstall', '--json'], there)
    expect(Object.keys(filesBelow(other)).filter((path) => !path.startsWith('.git/'))).toEqual(
      Object.keys(before).filter((path) => !/^\.git(\/|attributes|ignore)|^\.workspace/.test(path)),
    )
  })
})

test('two worktrees have the files of their own clients, hidden from git, and each takes back its own', async () => {
  const lab = await workspaceLab({ init: 'none' })
  await lab.json(['init', '--shared', '--in', 'claude', '--json'])
  lab.git('add', '--all')
  lab.git('commit', '--quiet', '--message=set up')
  const other = `${lab.root}-other`
  lab.git('worktree', 'add', '--quiet', other)
  const status = () => [lab.git('status', '--porcelain'), lab.git('-C', other, 'status', '--porcelain')]
  await lab.json(['init', '--in', 'gemini', '--json'], { cwd: other })
  expect(existsSync(join(other, '.claude'))).toBe(false)
  expect(status()).toEqual(['', ''])
  await lab.json(['uninstall', '--json'])
  expect(status()[1]).toBe('')
  await lab.json(['uninstall', '--json'], { cwd: other })
  expect(existsSync(join(other, '.gemini'))).toBe(false)
  expect(readFileSync(join(lab.root, '.git/info/exclude'), 'utf8')).not.toContain('cortext')
  expect(existsSync(join(lab.root, '.git/cortext'))).toBe(false)
})

// promise: copy it into `.workspace/`, where your version counts from then on
test('--eject copies a prompt and a template, whose changes count; another name is refused with the names', async () => {
  const lab = await workspaceLab()
  const { changes } = await lab.json<{ changes: { path: string; state: string }[] }>([
    'init',
    '--eject',
    'plan',
    '--json',
  ])
  expect(changes.map(({ path, state }) => `${state} ${path}`)).toEqual([
    'made .workspace/commands/workspace.plan.md',
    'made .workspace/templates/plan.md',
  ])
  writeFileSync(join(lab.root, changes[1]!.path), '# {{title}} our way\n')
  const { path } = await lab.json<{ path: string }>(['start', 'plan', 'Launch', '--json'])
  expect(readFileSync(join(lab.root, path, 'plan.md'), 'utf8')).toBe('# Launch our way\n')
  const again = await lab.cortext(['init', '--eject', 'plan'])
  expect(again.stdout).toMatch(/kept +\.workspace\/templates\/plan\.md {2}\(it is here already/)
  const refused = await lab.cortext(['init', '--eject', '../x'])
  expect(refused).toMatchObject({ code: 1 })
  expect(refused.stderr).toMatch(/fix: use one of: add, brainstorm, constitution, .*registry/)
})

test('init says which sessions of this folder are from before, and how to take them in', async () => {
  const lab = await workspaceLab({ init: 'none' })
  await lab.json(['init', '--in', 'claude', '--json'])
  await lab.json(['uninstall', '--json'])
  const claude = new ClaudeSession(lab)
  claude.say('from before')
  const { stdout } = await lab.cortext(['init', '--in', 'claude'])
  expect(stdout).toContain(
    '1 session of Claude Code from before is not saved. To save it: cortext import --all\n',
  )
  await lab.cortext(['import', 'claude', '--all'])
  expect((await lab.cortext(['init', '--in', 'claude'])).stdout).not.toContain('from before')
})
