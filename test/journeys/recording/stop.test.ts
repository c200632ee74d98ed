import { expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

test('S0-D6f stop --discard throws away what was not saved yet, keeps what was, and nothing brings it back', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.debug', 'Topic')
  await claude.turn('saved')
  await lab.json(['save', '001', '--json'])
  const saved = talk(await shown(lab, '001'))
  expect(saved).toContain('user: saved')
  await claude.turn('thrown away')
  await claude.command('workspace.stop-conversation', '', async () => {
    const run = await lab.cortext(['stop', '--discard'], { env: claude.env })
    expect(run.stdout).toContain('what was not saved yet was thrown away')
    return run
  })
  expect(talk(await shown(lab, '001'))).toEqual(saved)
  await lab.json(['save', '001', '--json'])
  expect(talk(await shown(lab, '001'))).toEqual(saved)
})
