import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { CodexThread } from '../helpers/codex-threads.ts'
import { type Lab, workspaceLab } from '../helpers/workspace-lab.ts'

/** A session that a program held through the SDK. */
function headless(lab: Lab, prompt: string, answer = 'ready'): ClaudeSession {
  const session = new ClaudeSession(lab)
  session.user(prompt, { entrypoint: 'sdk-ts', promptSource: 'sdk' })
  session.assistant([{ type: 'text', text: answer }])
  return session
}

const listed = async (lab: Lab) =>
  (await lab.json<{ conversations: { title: string; client: string }[] }>(['list', '--all', '--json']))
    .conversations

test('the commit that an import proposes is typed where the person is', async () => {
  const lab = await workspaceLab()
  const session = new ClaudeSession(lab)
  session.say('Why does checkout fail?')
  const inner = join(lab.root, 'a/b')
  mkdirSync(inner, { recursive: true })
  const { stderr } = await lab.cortext(['import', 'claude', '--file', session.transcript], { cwd: inner })
  expect(/: git add (\S+) && /.exec(stderr)?.[1]).toBe('../../conversations')
})

// promise: that were not recorded (`--all`
test('import --all without a client imports the sessions of all clients, each with its account', async () => {
  const lab = await workspaceLab()
  const none = await lab.cortext(['import', '--all'])
  expect(none).toMatchObject({ code: 0 })
  expect(none.stdout).toContain('no client has sessions of this folder')
  new ClaudeSession(lab).say('Why does checkout fail?')
  new ClaudeSession(lab).say('Name the events')
  new CodexThread(lab.home, lab.root).say('Which queue do we take?', 'Rabbit')
  const { stdout, stderr } = await lab.cortext(['import', '--all'])
  expect(stdout).toMatch(
    /^Claude Code:\n.*2 saved, 0 lost.*\n.*\nCodex CLI:\n.*\n3 sessions: 6 saved, 0 lost\n$/,
  )
  expect(stderr).toBe(
    'Not committed. When you have looked at it: git add conversations && git commit -m "Earlier conversations"\n',
  )
  expect((await listed(lab)).map(({ client }) => client).sort()).toEqual(['claude', 'claude', 'codex'])
  const wrong = await lab.cortext(['import'])
  expect(wrong).toMatchObject({ code: 2 })
  expect(wrong.stderr).toContain('cortext import --all')
})

// promise: leaves out sessions of Claude Code and Codex CLI that no person held, such as headless runs,
// promise: A session that you name, by its id or its file, is always imported.
test('sessions that no person held are left out of an import of all, and counted; --automated and an id take them', async () => {
  const lab = await workspaceLab()
  const pings = [1, 2, 3].map((run) => headless(lab, `Summarise the diff, run ${run}`))
  new CodexThread(lab.home, lab.root, { meta: { source: 'exec' } }).say('Ping')
  new ClaudeSession(lab).say('Why does checkout fail?')
  // A person has taken this one up in a terminal.
  headless(lab, 'Draft the release notes').user('Shorter, please', { entrypoint: 'cli' })
  const screens = await Promise.all([['import', '--all'], []].map((args) => lab.cortext(args)))
  for (const { stdout, stderr } of screens) {
    expect(stdout).not.toContain('Summarise')
    expect(stderr).toContain(
      '4 sessions that no person held are left out; to import them too: cortext import --all --automated\n',
    )
  }
  expect((await listed(lab)).map(({ title }) => title).sort()).toEqual([
    'Draft the release notes',
    'Why does checkout fail?',
  ])
  expect((await lab.cortext(['doctor'])).stdout).not.toMatch(/sessions? of .* (is|are) not saved/)
  await lab.json(['import', 'claude', pings[0]!.id, '--json'])
  expect(await listed(lab)).toHaveLength(3)
  await lab.json(['import', '--all', '--automated', '--json'])
  expect(await listed(lab)).toHaveLength(6)
})

// promise: also names the sessions of folders that are gone: where the workspace was before, and worktrees
test('an import of all names the sessions of the folder in which the workspace was before, and what it prints imports them', async () => {
  const lab = await workspaceLab()
  await new ClaudeSession(lab).command('workspace.plan', 'Ship')
  new ClaudeSession(lab).say('Why does the migration time out?')
  const moved = `${lab.root}-renamed`
  renameSync(lab.root, moved)
  const { stderr } = await lab.cortext(['import', '--all'], { cwd: moved })
  expect(stderr).toContain(`1 session of ${lab.root}, where this workspace was before, is not saved:`)
  const [, file] = /Why does the migration time out\?: cortext import claude --file (\S+)$/m.exec(stderr)!
  const args = ['import', 'claude', '--file', file!]
  expect((await lab.cortext(args, { cwd: moved })).stdout).toContain('2 saved, 0 lost')
  expect((await lab.cortext(['import', '--all'], { cwd: moved })).stderr).toBe('')
})

// promise: also names the sessions
test('an import of all names the sessions of a removed worktree by the files of this project that they name', async () => {
  const lab = await workspaceLab()
  writeFileSync(join(lab.root, 'a.ts'), 'a')
  mkdirSync(join(lab.root, 'src'))
  writeFileSync(join(lab.root, 'src', 'b.ts'), 'b')
  await lab.git('add', 'a.ts', 'src')
  const gone = `${lab.root}-fix`
  const session = new ClaudeSession(lab, gone)
  session.user('Fix the parser')
  session.assistant(
    ['a.ts', 'src/b.ts', 'new.ts'].map((name, n) => ({
      type: 'tool_use',
      id: `toolu_${n}`,
      name: 'Read',
      input: { file_path: join(gone, name) },
    })),
  )
  const other = new ClaudeSession(lab, join(lab.home, 'another'))
  other.user('Another project')
  other.assistant([
    {
      type: 'tool_use',
      id: 'toolu_x',
      name: 'Read',
      input: { file_path: join(lab.home, 'another', 'a.ts') },
    },
  ])
  new ClaudeSession(lab, join(lab.root, '.worktrees', 'x')).say('Inside of it')
  // What cannot be read is passed over.
  mkdirSync(join(lab.home, '.codex', 'sessions'), { recursive: true })
  symlinkSync('loop.jsonl', join(lab.home, '.codex', 'sessions', 'loop.jsonl'))

  const { stderr } = await lab.cortext(['import', '--all'])
  expect(stderr).toContain(`1 session of ${gone}, which is gone and had files of this project, is not saved:`)
  expect(stderr).toContain('Inside of it: cortext import claude --file')
  expect(stderr).not.toContain('Another project')
  const [, file] = /Fix the parser: cortext import claude --file (\S+)$/m.exec(stderr)!
  expect((await lab.cortext(['import', 'claude', '--file', file!])).stdout).toContain(' saved, 0 lost')
  expect((await lab.cortext(['import', '--all'])).stderr).not.toContain('Fix the parser')
})
