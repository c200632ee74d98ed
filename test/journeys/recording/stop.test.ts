import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { stop } from '../../../src/journeys/recording/stop.ts'
import { openWorkspace } from '../../../src/workspace/open.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

// promise: saves and pauses (`--complete`
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

test.each([0, 12])(
  'S4-DP1 a stop command is not recorded if another program saves while it runs, after %i turns',
  async (turns) => {
    const lab = await workspaceLab()
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.debug', 'Topic')
    for (let turn = 0; turn < turns; turn += 1) await claude.turn(`turn ${turn}`)
    await lab.json(['save', '001', '--json'])
    const said = talk(await shown(lab, '001'))
    expect(said).toHaveLength(2 * (turns + 1))
    await claude.command('workspace.stop-conversation', '', async () => {
      await lab.json(['save', '001', '--json'])
      return lab.cortext(['stop', '--summary-stdin', '--json'], { input: 'so far', env: claude.env })
    })
    expect(talk(await shown(lab, '001'))).toEqual(said)
  },
)

test('"commit": "ask" commits when the person says yes, and not when no person can be asked', async () => {
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

test('a stop that is killed before its commit is finished by the next one', async () => {
  const lab = await workspaceLab()
  lab.git('add', '-A')
  lab.git('commit', '-qm', 'set up')
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API')
  await claude.turn('one')
  const stopped = (env: Record<string, string> = {}) =>
    claude.command('workspace.stop-conversation', '', () =>
      lab.cortext(['agent', 'stop'], { env: { ...claude.env, ...env } }),
    )
  await lab.json(['save', '001', '--json'])
  expect((await stopped(KILLED_BEFORE_COMMIT))?.code).toBe(null)
  expect(await lab.json(['show', '001', '--json'])).toMatchObject({ session: { status: 'paused' } })
  expect(lab.git('status', '--porcelain')).not.toBe('')

  expect((await stopped())?.stdout).toContain('Session saved.')
  expect(lab.git('status', '--porcelain')).toBe('')
  expect(lab.git('log', '-1', '--format=%s')).toContain('[conversation] brainstorm: API')
  expect((await stopped())?.stderr).toContain('is saved already')
})

const DYING = fileURLToPath(new URL('../../helpers/dying.cjs', import.meta.url))
/** When a stop has noted in the binding that nothing is recorded any more, nothing is left to do but the commit. */
const KILLED_BEFORE_COMMIT = { NODE_OPTIONS: `--require ${DYING}`, DIE_BEHIND: '/bindings/claude-' }
