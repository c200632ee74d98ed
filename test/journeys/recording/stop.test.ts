import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stop } from '../../../src/journeys/recording/stop.ts'
import { openWorkspace } from '../../../src/workspace/open.ts'
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

test('"commit": "ask" commits when the person says yes, and not where nobody can be asked', async () => {
  const lab = await workspaceLab()
  writeFileSync(join(lab.root, '.workspace/config.json'), '{ "visibility": "shared", "commit": "ask" }\n')
  lab.git('add', '-A')
  lab.git('commit', '-qm', 'set up')
  const { path } = await lab.json<{ path: string }>(['start', 'brainstorm', 'API', '--json'])
  expect(await lab.json(['stop', '001', '--json'])).toMatchObject({
    notCommitted: 'commit is "ask" in .workspace/config.json',
  })
  const { commit } = await stop(openWorkspace(lab.environment), { path, current: undefined, commit: true })
  expect(commit).toMatchObject({ committed: expect.any(String) })
  expect(lab.git('status', '--porcelain')).toBe('')
})
