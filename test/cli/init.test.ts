import { execFileSync } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { workspaceLab } from '../helpers/workspace-lab.ts'

// promise: adds to what is there without overwriting it, and says what it made for whom and what to commit
test('init says on one screen what it made for whom, and what to do next; each file by name with --verbose', async () => {
  const lab = await workspaceLab({ init: 'none' })
  const first = (await lab.cortext(['init'])).stdout
  expect(first.split('\n').length).toBeLessThan(24)
  expect(first).toMatch(/^ {2}workspace {4}1 file made +\.workspace\/$/m)
  for (const [name, folder] of [
    ['Claude Code', '.claude'],
    ['OpenCode', '.opencode'],
    ['Gemini CLI', '.gemini'],
  ])
    expect(first).toMatch(new RegExp(`^ {2}${name} +1\\d files made +\\${folder}/$`, 'm'))
  const [, commit] = /^Commit this, .*: (git add .*)$/m.exec(first)!
  expect(first).toMatch(
    /\nThen, in your AI client: \/workspace\.brainstorm <topic>, or \$workspace-brainstorm <topic> in Codex CLI\n$/,
  )
  lab.git('add', ...commit!.split(' && ')[0]!.split(' ').slice(2))
  expect(lab.git('status', '--porcelain', '--untracked-files=all')).not.toMatch(/^\?\?/m)

  const again = (await lab.cortext(['init'])).stdout
  expect(again).toMatch(/^ {2}\d+ files were up to date$/m)
  expect(again).not.toContain('git add')
  const all = (await lab.cortext(['init', '--verbose'])).stdout
  expect(all).toMatch(/files were up to date/)
})

test('the command that commits names no place that is gone', async () => {
  const lab = await workspaceLab({ init: 'none' })
  await lab.cortext(['init', '--shared'])
  await lab.cortext(['init', '--personal', '--in', 'gemini'])
  const { stdout } = await lab.cortext(['init'])
  const [, commit = ''] = /^Commit this, .*: (git add .*)$/m.exec(stdout) ?? []
  expect(commit).not.toBe('')
  lab.git('add', ...commit.split(' && ')[0]!.split(' ').slice(2))
})

test('init says what a client asks before it uses the files of a folder, once', async () => {
  const lab = await workspaceLab({ init: 'none' })
  const asked = /^(Pi|Codex CLI|Copilot CLI) .* before you have said that you trust (?:it|the folder): /gm
  const said = async () => (await lab.cortext(['init', '--shared'])).stdout.match(asked)?.length
  expect(await said()).toBe(3)
  expect(await said()).toBeUndefined()
})

test('a file that a person edited is named, with what to do about it', async () => {
  const lab = await workspaceLab()
  appendFileSync(join(lab.root, '.claude/commands/workspace.plan.md'), 'mine')
  const { stdout } = await lab.cortext(['init'])
  expect(stdout).toMatch(/^ {2}Claude Code {2}1 file kept {2}\.claude\/$/m)
  expect(stdout).toMatch(/^ {2}kept +\.claude\/commands\/workspace\.plan\.md {2}\(edited here/m)
  expect(stdout).not.toContain('git add')
})

test('uninstall says on one screen what it took back from whom, and what it leaves; each file with --verbose', async () => {
  const lab = await workspaceLab()
  appendFileSync(join(lab.root, '.claude/commands/workspace.plan.md'), 'mine')
  const { stdout } = await lab.cortext(['uninstall'])
  expect(stdout.split('\n').length).toBeLessThan(24)
  expect(stdout).toMatch(/^No longer a workspace: /)
  expect(stdout).toMatch(/^ {2}workspace {4}1 file removed +\.workspace\/$/m)
  expect(stdout).toMatch(/^ {2}Claude Code {2}1\d files removed, 1 kept +\.claude\/$/m)
  expect(stdout).toMatch(/^ {2}kept +\.claude\/commands\/workspace\.plan\.md {2}\(edited here/m)
  expect(stdout).toMatch(
    /\n\nThe conversations stay as they are: plain files\.\nGit did not see these, and \.git\/info\/exclude still hides them: \.claude\/commands\/workspace\.plan\.md\n$/,
  )

  const other = await workspaceLab()
  const all = (await other.cortext(['uninstall', '--verbose'])).stdout
  expect(all).toMatch(/^ {2}removed +\.claude\/commands\/workspace\.plan\.md$/m)
  expect(all.split('\n').length).toBeGreaterThan(40)
})

test('a stop in a private workspace says nothing about commits', async () => {
  const lab = await workspaceLab({ init: 'private' })
  await lab.cortext(['start', 'plan', 'Release'])
  const { code, stderr } = await lab.cortext(['stop', '1'])
  expect(code).toBe(0)
  expect(stderr).not.toContain('ommit')
  const told = await lab.json<{ notCommitted: string }>(['stop', '1', '--json'])
  expect(told.notCommitted).toContain('the workspace is private')
})

test('init of a sub-folder prints a command that commits only that folder and can be pasted in the current one', async () => {
  const lab = await workspaceLab({ init: 'none' })
  writeFileSync(join(lab.root, 'mine.txt'), 'of somebody')
  const { stdout } = await lab.cortext(['init', 'sub', '--mcp'])
  const [, command] = /^Commit this, .*?: (git .*)$/m.exec(stdout)!
  execFileSync('sh', ['-c', command!], { cwd: lab.root, env: lab.env })
  const committed = lab.git('show', '--name-only', '--format=', 'HEAD').split('\n')
  expect(committed.filter(Boolean)).toEqual([
    'sub/.gitattributes',
    'sub/.gitignore',
    'sub/.workspace/config.json',
  ])
  expect(lab.git('status', '--porcelain')).toBe('?? mine.txt\n')
})
