import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { putProgram } from '../helpers/stand-ins.ts'
import { type Lab, workspaceLab } from '../helpers/workspace-lab.ts'

async function stop(lab: Lab, hook?: string): Promise<string> {
  lab.git('add', '--all')
  lab.git('commit', '--quiet', '--message=set up')
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.plan', 'Here')
  writeFileSync(join(lab.root, 'unfinished.txt'), 'not for anybody yet')
  if (hook !== undefined) putProgram(join(lab.root, '.git/hooks'), 'pre-commit', hook)
  return (await lab.cortext(['stop'], { env: claude.env })).stderr
}

test.each([
  ['that it stages', 'for it in conversations/*/*/plan.md; do echo >> "$it"; git add "$it"; done'],
  ['that it does not stage', 'for it in conversations/*/*/plan.md; do echo >> "$it"; done'],
])('a hook that changes a file of the conversation, %s, is told with the file', async (_, hook) => {
  const lab = await workspaceLab()
  const told = await stop(lab, hook)
  expect(told).toMatch(
    /A git hook has changed files .*git shows them as changed: conversations\/.*plan\.md\./,
  )
  expect(told).not.toContain('put other files')
  expect(lab.git('status', '--porcelain')).toMatch(/^(MM| M) conversations\/.*plan\.md$/m)
})

test('a hook that adds other changed files is reported with these files', async () => {
  const lab = await workspaceLab()
  const told = await stop(lab, 'git add -A')
  expect(told).toMatch(/put other files into the commit too: unfinished\.txt\./)
  expect(lab.git('show', '--format=', '--name-only')).toContain('unfinished.txt')
})

test('what a hook says of an unknown option is not taken for git’s', async () => {
  const told = await stop(await workspaceLab(), `echo "error: unknown option '--x'" >&2; exit 1`)
  expect(told).toContain("unknown option '--x'")
  expect(told).not.toContain('git is too old')
})

test('a hook that changes nothing is not reported', async () => {
  const lab = await workspaceLab()
  expect(await stop(lab, 'true')).not.toContain('hook')
})

test.each([
  ['a hook', (lab: Lab) => putProgram(join(lab.root, '.git/hooks'), 'pre-commit', 'exit 1')],
  [
    'a program that signs',
    (lab: Lab) => {
      lab.git('config', 'gpg.program', join(putProgram(lab.home, 'signs', 'exit 2'), 'signs'))
      lab.git('config', 'commit.gpgsign', 'true')
    },
  ],
])('where %s refuses the commit, both lines that are shown commit it later', async (_, refuse) => {
  const lab = await workspaceLab()
  lab.git('add', '--all')
  lab.git('commit', '--quiet', '--message=set up')
  refuse(lab)
  const allow = () => {
    rmSync(join(lab.root, '.git/hooks/pre-commit'), { force: true })
    lab.git('config', 'commit.gpgsign', 'false')
  }
  for (const shown of [/^What was said is saved\. To commit it: (.*)$/m, /^Or in a terminal: (.*)$/m]) {
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.plan', "What isn't Here")
    const { stderr } = await lab.cortext(['stop'], { env: claude.env })
    const line = shown.exec(stderr)?.[1]
    expect(line, stderr).toBeDefined()
    allow()
    if (line!.startsWith('cortext ')) await lab.json([...line!.split(' ').slice(1), '--json'])
    else execFileSync('sh', ['-c', line!], { cwd: lab.home, env: lab.env, stdio: 'pipe' })
    expect(lab.git('status', '--porcelain'), line).toBe('')
    expect(lab.git('log', '-1', '--format=%B')).toMatch(
      /^\[conversation\] plan: What isn't Here .*\n\nConversation: /,
    )
    refuse(lab)
  }
})

test('a commit that takes long says what it waits for, and then commits', async () => {
  const lab = await workspaceLab()
  expect(await stop(lab, 'sleep 5')).toMatch(/^Waiting for git commit: .*signs/m)
  expect(lab.git('log', '-1', '--format=%s')).toContain('[conversation] plan')
  expect(await stop(lab, 'true')).not.toContain('Waiting')
})
