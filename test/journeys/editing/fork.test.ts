import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { create } from '../../../src/conversation/create.ts'
import { fork as forkIn } from '../../../src/journeys/editing/fork.ts'
import { openWorkspace } from '../../../src/workspace/open.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import {
  conversationNamed,
  ended,
  filesBelow,
  type Lab,
  recordLines,
  sessionFile,
  shown,
  talk,
  workspaceLab,
} from '../../helpers/workspace-lab.ts'

const ID = '001-brainstorm-tree'

async function tree() {
  const lab = await workspaceLab({ begun: { name: 'tree', by: talkTree } })
  return { lab, claude: ClaudeSession.inLab(lab), path: conversationNamed(lab, ID) }
}

async function talkTree(lab: Lab): Promise<void> {
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'Tree')
  await claude.turn('first')
  claude.user('look')
  claude.assistant(
    [{ type: 'tool_use', id: 'toolu_f', name: 'Read', input: { file_path: '/a' } }],
    'tool_use',
  )
  claude.user([{ type: 'tool_result', tool_use_id: 'toolu_f', content: 'x'.repeat(100_000) }])
  claude.assistant([{ type: 'text', text: 'Seen.' }])
  await claude.turn('second')
  await lab.json(['save', ID, '--json'])
}

interface Forked {
  id: string
  path: string
  title: string
  message_count: number
  forked_from: { path: string; message_id: string }
}
const fork = (lab: Lab, ...args: string[]) => lab.json<Forked>(['fork', ID, ...args, '--json'])
const session = (lab: Lab, path: string) => JSON.parse(readFileSync(sessionFile(lab, path), 'utf8'))
const asked = async (lab: Lab, id: string) =>
  talk(await shown(lab, id))
    .filter((line) => line.startsWith('user'))
    .map((line) => line.slice(6))

test('E-20 the title of a fork is saved without its secret, in its folder’s name too', async () => {
  const lab = await workspaceLab()
  const ws = openWorkspace(lab.environment)
  const { path } = await create(ws, { type: 'plan', title: 'T' })
  // Put together here, so that no scanner takes this file for a leak.
  const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`
  const made = await forkIn(ws, { path, title: `With ${secret}` })
  expect(made.session.title).toMatch(/^With \[REDACTED:github-token:/)
  const everything = JSON.stringify(filesBelow(join(lab.root, 'conversations'))).toLowerCase()
  expect(everything).not.toContain(secret.toLowerCase())
})

describe('fork', () => {
  // promise: makes a new conversation with the talk of this one
  test('Q-12, X-6, S0-M2: has the same lines up to a message, the document and a link back; the original stays as it was', async () => {
    const { lab, path } = await tree()
    writeFileSync(join(lab.root, path, 'brainstorm.md'), '# Mine\n')
    await lab.json(['edit', ID, '--tag', 'work', '--archive', '--json'])
    const before = filesBelow(join(lab.root, path))
    const said = await shown(lab, ID)
    const made = await fork(lab, '--at', '4', '--title', 'Another way')
    expect(made).toMatchObject({ id: '002-brainstorm-another-way', title: 'Another way', message_count: 4 })
    expect(recordLines(lab, made.path)).toEqual(recordLines(lab, path).slice(0, 5))
    expect(readFileSync(join(lab.root, made.path, 'brainstorm.md'), 'utf8')).toBe('# Mine\n')
    expect(session(lab, made.path)).toMatchObject({
      conversation_id: made.id,
      conversation_type: 'brainstorm',
      status: 'paused',
      tags: ['work'],
      agent_config: session(lab, path).agent_config,
      agent_sessions: [],
      forked_from: { path, message_id: said[4]!.id },
      context_summary: 'Last said: first',
    })
    expect(session(lab, made.path)).not.toHaveProperty('archived_at')
    expect(filesBelow(join(lab.root, path))).toEqual(before)
    expect(readdirSync(join(lab.root, made.path)).sort()).toEqual(['.session', 'brainstorm.md'])
  })

  test('without --at has all messages, with attachments and subagents; a result comes along with its call', async () => {
    const { lab, path } = await tree()
    const subagent = join(lab.root, path, '.session/subagents/toolu_f.jsonl')
    mkdirSync(dirname(subagent))
    writeFileSync(subagent, 'said below\n')
    const whole = await fork(lab)
    expect(whole.title).toBe('Tree (fork)')
    expect(recordLines(lab, whole.path)).toEqual(recordLines(lab, path))
    const beside = (at: string) =>
      Object.entries(filesBelow(join(lab.root, at, '.session'))).filter(([name]) => name.includes('/'))
    expect(beside(whole.path)).toEqual(beside(path))
    expect(beside(path)).toHaveLength(2)
    // The sixth message is the one that calls the tool.
    const cut = await fork(lab, '--at', '6')
    expect((await shown(lab, cut.id)).at(-1)).toMatchObject({ role: 'tool', tool_call_id: 'toolu_f' })
    const without = await fork(lab, '--at', '5')
    expect(beside(without.path)).toEqual([])
  })

  test('is made up to the id of a message; for an unknown id it is refused, and nothing is made', async () => {
    const { lab } = await tree()
    const said = await shown(lab, ID)
    expect(await asked(lab, (await fork(lab, '--at', said[4]!.id)).id)).toEqual([
      '/workspace.brainstorm Tree',
      'first',
    ])
    const run = await lab.cortext(['fork', ID, '--at', '99'])
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('no message "99"')])
    expect((await lab.json<{ conversations: object[] }>(['list', '--json'])).conversations).toHaveLength(2)
  })

  // promise: what is said later in one of the two never comes into the other
  test('never gets what is said later in the original, nor the other way round, whatever is saved or imported', async () => {
    const { lab, claude, path } = await tree()
    const made = await fork(lab, '--at', '4')
    await claude.turn('only in the original')
    for (const id of [ID, made.id]) await lab.json(['save', id, '--json'])
    const other = new ClaudeSession(lab)
    await other.command('workspace.resume', made.id, () =>
      lab.cortext(['agent', 'resume', made.id], { env: other.env }),
    )
    await other.turn('only in the fork')
    for (const one of [claude, other]) {
      await lab.json(['import', 'claude', one.id, '--json'])
      await one.hook('SessionEnd', { reason: 'prompt_input_exit' })
    }
    for (const id of [ID, made.id]) await lab.json(['stop', id, '--json'])
    const first = ['/workspace.brainstorm Tree', 'first']
    expect(await asked(lab, ID)).toEqual([...first, 'look', 'second', 'only in the original'])
    expect(await asked(lab, made.id)).toEqual([...first, 'only in the fork'])
    expect(session(lab, made.path).agent_sessions).toMatchObject([{ native_id: other.id }])
    expect(session(lab, path).agent_sessions).toMatchObject([{ native_id: claude.id }])
  })

  test('is resumed by a handoff, and a session that was imported only into it is not resumed natively', async () => {
    const { lab } = await tree()
    const made = await fork(lab)
    const plan = (...args: string[]) =>
      lab.cortext(['resume', made.id, '--dry-run', '--in', 'claude', ...args, '--json'])
    expect(JSON.parse((await plan()).stdout)).toMatchObject({ mode: 'handoff' })
    expect((await plan('--mode', 'native')).stdout).toContain('no native session is known')
    const print = await lab.cortext(['resume', made.id, '--print'])
    expect(print.stdout).toContain('### User\n second')
    const other = new ClaudeSession(lab)
    other.say('held elsewhere')
    await lab.json(['import', 'claude', other.id, '--into', made.id, '--json'])
    expect(JSON.parse((await plan()).stdout)).toMatchObject({ mode: 'handoff' })
  })

  test('of a pruned conversation has the archive too, and a restore in one leaves the other as it is', async () => {
    const { lab, path } = await tree()
    const before = recordLines(lab, path)
    await lab.json(['prune', ID, '--keep', '2', '--yes', '--json'])
    const made = await fork(lab)
    await lab.json(['prune', made.id, '--restore', '--json'])
    expect(recordLines(lab, made.path)).toEqual(before)
    expect(existsSync(join(lab.root, made.path, '.session/archive'))).toBe(false)
    expect(existsSync(join(lab.root, path, '.session/archive'))).toBe(true)
  })

  test('S1-001j, E-10: gets a number of its own when eight are made at the same moment', async () => {
    const { lab } = await tree()
    const made = await Promise.all(Array.from({ length: 8 }, () => fork(lab)))
    expect(made.map(({ id }) => id.slice(0, 3)).sort()).toEqual(
      Array.from({ length: 8 }, (_, n) => `00${n + 2}`),
    )
    for (const { path } of made) expect(recordLines(lab, path)).toHaveLength(11)
  })

  test('E-16: is there whole or not at all after a kill at any moment, and the original is untouched', async () => {
    const { lab, path } = await tree()
    const before = recordLines(lab, path)
    let killed = 0
    for (let round = 0; round < 10; round++) {
      const child = lab.begin(['fork', ID])
      const run = ended(child)
      await sleep(80 + round * 20)
      child.kill('SIGKILL')
      if ((await run).code === null) killed += 1
    }
    expect(killed).toBeGreaterThan(0)
    const { conversations, broken } = await lab.json<{
      conversations: { id: string; path: string }[]
      broken: object[]
    }>(['list', '--all', '--json'])
    expect(broken).toEqual([])
    for (const one of conversations) {
      expect(recordLines(lab, one.path)).toEqual(before)
      expect(await asked(lab, one.id)).toHaveLength(4)
    }
  })
})
