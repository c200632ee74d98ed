import { truncateSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

const PEAK = fileURLToPath(new URL('../../helpers/peak.cjs', import.meta.url))

test('an import of a session with a line of 700 MB has not all of it in memory', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  claude.say('before the long line')
  truncateSync(claude.transcript, 700_000_000)
  const env = { NODE_OPTIONS: `--require ${PEAK}` }
  const { code, stderr } = await lab.cortext(['import', 'claude', claude.id], { env })
  expect(code).toBe(0)
  expect(talk(await shown(lab, '1'))[0]).toBe('user: before the long line')
  expect(Number(/peak (\d+)/.exec(stderr)?.[1])).toBeLessThan(500_000)
})
