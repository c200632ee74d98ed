import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { firstKill, KILL_STRIDE } from '../../helpers/long.ts'
import { type Lab, workspaceLab } from '../../helpers/workspace-lab.ts'

const DYING = fileURLToPath(new URL('../../helpers/dying.cjs', import.meta.url))
const DAY = 'conversations/2026-11-21'
const IDS = ['001-plan-a', '002-plan-b', '003-plan-c']

test('after a verb was killed at any step while it settled a merge, the next verb does and commits the rest', async () => {
  const lab = await workspaceLab()
  for (const id of IDS) begin(lab, id)
  commit(lab, 'begun')
  await lab.json(['save', `${DAY}/${IDS[0]}`, '--json'])
  const commits: number[] = []
  for (let step = firstKill(); ; step += KILL_STRIDE) {
    const round = commits.length + 1
    // As a merge leaves it that takes the lines of both sides, and the numbers of one.
    for (const id of IDS) say(lab, id, `${step}`)
    commit(lab, `merged ${step}`)
    const before = count(lab)
    const env = { NODE_OPTIONS: `--require ${DYING}`, DIE_AT: String(step) }
    const { code } = await lab.cortext(['save', `${DAY}/${IDS[0]}`, '--json'], { env })
    await lab.json(['save', `${DAY}/${IDS[0]}`, '--json'])
    const at = `killed at step ${step}`
    expect(lab.git('status', '--porcelain'), at).toBe('')
    for (const id of IDS) expect(read(lab, id).message_count, at).toBe(1 + round)
    commits.push(count(lab) - before)
    if (code === 0) break
  }
  expect(commits.length).toBeGreaterThan(10)
  // One for all, also where two programs were at it one after the other.
  expect(Math.max(...commits)).toBeLessThanOrEqual(2)
  expect(commits.at(-1)).toBe(1)
}, 600_000)

function begin(lab: Lab, id: string): void {
  mkdirSync(join(lab.root, DAY, id, '.session'), { recursive: true })
  const session = {
    version: '1.0',
    conversation_id: id,
    conversation_type: 'plan',
    title: id,
    status: 'paused',
    created_at: '2026-11-21T10:00:00.000Z',
    last_active: '2026-11-21T10:00:00.000Z',
    message_count: 1,
    token_count: 0,
    agent_sessions: [],
    origin: id.replaceAll('-', '').padEnd(12, 'x'),
  }
  writeFileSync(join(lab.root, DAY, id, '.session/session.json'), `${JSON.stringify(session, null, 2)}\n`)
  say(lab, id, 'begin')
}

function say(lab: Lab, id: string, content: string): void {
  const line = { id: content, role: 'user', content, timestamp: '2026-11-21T11:00:00.000Z' }
  appendFileSync(join(lab.root, DAY, id, '.session/messages.jsonl'), `${JSON.stringify(line)}\n`)
}

function commit(lab: Lab, message: string): void {
  lab.git('add', '--all')
  lab.git('commit', '--quiet', `--message=${message}`)
}

function count(lab: Lab): number {
  return Number(lab.git('rev-list', '--count', 'HEAD'))
}

function read(lab: Lab, id: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(lab.root, DAY, id, '.session/session.json'), 'utf8'))
}
