import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { ended, type Lab, recordLines, shown, talk, workspaceLab } from '../helpers/workspace-lab.ts'

const WORDS = 'words of a long answer '.repeat(2000)

/** Interrupts a verb later and later, until one run comes to its end, and returns how many were interrupted. */
async function interruptUntilDone(lab: Lab, args: string[], check: () => Promise<void>): Promise<number> {
  for (let times = 0, wait = 40; ; times += 1, wait *= 1.5) {
    const child = lab.begin(args)
    const run = ended(child)
    const timer = setTimeout(() => child.kill('SIGINT'), wait)
    const { code, stderr } = await run
    clearTimeout(timer)
    if (code !== null) {
      // doctor ends with 1 where no client is installed.
      expect(code, stderr).toBeLessThan(args[0] === 'doctor' ? 2 : 1)
      return times
    }
    await check()
  }
}

/** What is there can be read, and nothing is there twice. */
async function isWhole(lab: Lab): Promise<void> {
  const { conversations, broken } = await lab.json<{ conversations: { path: string }[]; broken: unknown[] }>([
    'list',
    '--all',
    '--json',
  ])
  expect(broken).toEqual([])
  for (const { path } of conversations) {
    // Before its first save a conversation has no record.
    if (!existsSync(join(lab.root, path, '.session/messages.jsonl'))) continue
    const ids = recordLines(lab, path).map((line) => JSON.parse(line).id as string)
    expect(new Set(ids).size).toBe(ids.length)
  }
}

test('Ctrl-C in an import of all leaves nothing half, and the next one finishes', async () => {
  const lab = await workspaceLab()
  const sessions = Array.from({ length: 6 }, () => new ClaudeSession(lab))
  for (const [at, session] of sessions.entries())
    for (let turn = 0; turn < 6; turn += 1) session.say(`question ${at} ${turn}`, `${turn} ${WORDS}`)
  const times = await interruptUntilDone(lab, ['import', 'claude', '--all'], () => isWhole(lab))
  expect(times).toBeGreaterThan(0)
  await isWhole(lab)
  const { conversations } = await lab.json<{ conversations: { path: string }[] }>(['list', '--all', '--json'])
  const said = await Promise.all(conversations.map(async ({ path }) => talk(await shown(lab, path))))
  const asked = said.flat().filter((line) => line.startsWith('user: '))
  expect(asked.sort()).toEqual(
    sessions.flatMap((_, at) => [0, 1, 2, 3, 4, 5].map((turn) => `user: question ${at} ${turn}`)).sort(),
  )
})

test('Ctrl-C in a first save, in pages, in a search everywhere and in doctor leaves nothing half', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'Long')
  for (let turn = 0; turn < 60; turn += 1) claude.say(`question ${turn}`, `${turn} ${WORDS}`)
  await claude.turn('the last one')
  const works = [
    ['save', '001'],
    ['view', '--all', '--no-open', '--output', 'pages'],
    ['search', 'question', '--everywhere'],
    ['doctor', '--json'],
  ]
  for (const args of works) await interruptUntilDone(lab, args, () => isWhole(lab))
  const asked = talk(await shown(lab, '001')).filter((line) => line.startsWith('user: '))
  expect(asked).toHaveLength(62)
  expect(new Set(asked).size).toBe(62)
})
