import { afterEach, expect, test, vi } from 'vitest'
import { create, localDate } from '../../src/conversation/create.ts'
import { openWorkspace } from '../../src/workspace/open.ts'
import { workspaceLab } from '../helpers/workspace-lab.ts'

afterEach(() => void vi.unstubAllEnvs())

test.each([
  ['Pacific/Kiritimati', '2026-11-21T10:30:00Z', '2026-11-22'],
  ['Etc/GMT+12', '2026-11-21T11:30:00Z', '2026-11-20'],
  ['America/New_York', '2026-01-01T04:59:59Z', '2025-12-31'],
  ['Europe/Vienna', '2025-12-31T23:00:00Z', '2026-01-01'],
])(
  'S0-D1b a folder is named after the day in the person’s time zone, not in UTC: %s',
  async (zone, at, day) => {
    vi.stubEnv('TZ', zone)
    const now = new Date(at)
    expect(localDate(now)).toBe(day)
    const lab = await workspaceLab()
    const { path } = await create(openWorkspace({ ...lab.environment, now: () => now }), {
      type: 'plan',
      title: 'Near midnight',
    })
    expect(path).toBe(`conversations/${day}/001-plan-near-midnight`)
  },
)
