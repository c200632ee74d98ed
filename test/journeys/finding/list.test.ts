import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isResumable, listConversations } from '../../../src/journeys/finding/list.ts'
import { SessionFile } from '../../../src/session/schema.ts'
import { writeSession } from '../../../src/store/record/session-file.ts'
import { openWorkspace } from '../../../src/workspace/open.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { workspaceLab } from '../../helpers/workspace-lab.ts'

const NOW = new Date('2026-11-21T12:00:00Z')
const DAY = 24 * 60 * 60_000

/** A workspace whose conversations were last touched so many days ago; they are called by their place: `0`, `1`, … */
async function workspaceOf(days: readonly number[], more: (n: number) => Partial<SessionFile> = () => ({})) {
  const lab = await workspaceLab()
  for (const [n, ago] of days.entries()) {
    const at = new Date(NOW.getTime() - ago * DAY).toISOString()
    const folder = join(lab.root, 'conversations/2026-10-01', `${String(n).padStart(3, '0')}-plan-x`)
    mkdirSync(folder, { recursive: true })
    const facts = { conversation_id: `${n}`, conversation_type: 'plan', title: `${n}`, status: 'paused' }
    writeSession(folder, SessionFile.parse({ ...facts, created_at: at, last_active: at, ...more(n) }))
  }
  const ws = openWorkspace({ ...lab.environment, now: () => NOW })
  return (list = ws.config.list) => listConversations({ ...ws, config: { ...ws.config, list } }).conversations
}

const ids = (all: readonly { id: string }[]) => all.map(({ id }) => id)

describe('a list', () => {
  // promise: begins with the conversation that was active last
  test('S1-003c: begins with the conversation that was active last; of those at the same moment, with the one made last', async () => {
    const list = await workspaceOf([3, 1, 2, 1])
    expect(ids(list())).toEqual(['3', '1', '2', '0'])
  })

  // promise: lists leave out what was not touched for so long; 0: never.
  test('X-15, S4-P5-7, S3-A8: leaves out what was not active for more than 30 days, or the days of the settings; 0 is off', async () => {
    const list = await workspaceOf([29.9, 30, 30.001, 31])
    expect(ids(list().filter(isResumable))).toEqual(['0', '1'])
    expect(ids(list().filter(({ old }) => old))).toEqual(['2', '3'])
    expect(ids(list({ archiveAfterDays: 31, maxOpen: 50 }).filter(isResumable))).toEqual(['0', '1', '2', '3'])
    expect(ids(list({ archiveAfterDays: 29, maxOpen: 50 }).filter(isResumable))).toEqual([])
    expect(list({ archiveAfterDays: 0, maxOpen: 50 }).every(isResumable)).toBe(true)
  })

  // promise: and all beyond so many; 0: no limit
  test('X-15, S4-P5-6: shows the newest 50, or as many as the settings say; 0 is off', async () => {
    const days = Array.from({ length: 52 }, (_, n) => n / 100)
    const list = await workspaceOf(days)
    expect(ids(list().filter(({ old }) => old))).toEqual(['50', '51'])
    expect(list({ archiveAfterDays: 30, maxOpen: 0 }).every(isResumable)).toBe(true)
  })

  test('X-15: does not offer completed or archived conversations, and does not count them among the 50', async () => {
    const days = Array.from({ length: 54 }, (_, n) => n / 100)
    const list = await workspaceOf(days, (n) => {
      if (n < 2) return { status: 'completed' }
      return n < 4 ? { archived_at: NOW.toISOString() } : {}
    })
    const offered = list().filter(isResumable)
    expect(ids(offered)).toEqual(days.slice(4).map((_, n) => `${n + 4}`))
    expect(list().some(({ old }) => old)).toBe(false)
  })
})

test('a live conversation has the same counts in list, show and search, in another worktree too', async () => {
  const lab = await workspaceLab({ init: 'shared' })
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API')
  await lab.cortext(['save', '001'])
  lab.git('add', '-A')
  lab.git('commit', '-qm', 'all')
  await claude.turn('about walruses')
  lab.git('worktree', 'add', '-q', '../beside')
  for (const cwd of [lab.root, join(lab.root, '../beside')]) {
    const { conversations } = await lab.json<{ conversations: { message_count: number }[] }>(
      ['list', '--json'],
      {
        cwd,
      },
    )
    const { session } = await lab.json<{ session: { message_count: number } }>(['show', '001', '--json'], {
      cwd,
    })
    expect([conversations[0]?.message_count, session.message_count], cwd).toEqual([4, 4])
    expect((await lab.cortext(['search', 'walruses'], { cwd })).stdout, cwd).toContain('API')
  }
})
