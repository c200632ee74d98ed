import { expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { workspaceLab } from '../../helpers/workspace-lab.ts'

test('a conversation that was left without a stop is marked in the list, and reported once by the next verb', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API design')
  await claude.turn('one')
  expect((await lab.cortext(['list'])).stdout).not.toContain('not committed')
  await claude.hook('SessionEnd', { reason: 'exit' })
  const said = '1 "API design" was left without a stop, so it is not committed: cortext stop 1'
  const first = await lab.cortext(['list'])
  expect(first.stdout).toMatch(/paused, not committed/)
  expect(first.stderr).toContain(said)
  const second = await lab.cortext(['list'])
  expect(second.stdout).toMatch(/paused, not committed/)
  expect(second.stderr).not.toContain('without a stop')
  await lab.cortext(['stop', '1'])
  expect((await lab.cortext(['list'])).stdout).not.toContain('not committed')
})

test('a conversation that another one replaced in its session is reported too; not in a private workspace', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.plan', 'First')
  await claude.turn('one')
  await claude.command('workspace.plan', 'Second')
  expect((await lab.cortext(['list'])).stderr).toContain('1 "First" was left without a stop')
  const hidden = await workspaceLab({ init: 'private' })
  const other = new ClaudeSession(hidden)
  await other.command('workspace.plan', 'Hidden')
  await other.turn('one')
  await other.hook('SessionEnd', { reason: 'exit' })
  const { stdout, stderr } = await hidden.cortext(['list'])
  expect(stdout + stderr).not.toContain('not committed')
})
