import { writeFileSync } from 'node:fs'
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

test('a hook that changes nothing is not reported', async () => {
  const lab = await workspaceLab()
  expect(await stop(lab, 'true')).not.toContain('hook')
})
