import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fix } from '../../../src/journeys/doctor/fix.ts'
import { tidyJournals, tidyTemps } from '../../../src/journeys/recording/tidy.ts'
import { openWorkspace } from '../../../src/workspace/open.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { type Lab, recordLines, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

const DAY = 24 * 60 * 60_000

describe('the journal of a session that ended long ago', () => {
  // promise: what only this machine knows:
  // promise: a raw copy of what
  // promise: A raw copy goes 30 days after its session ended
  // promise: the raw copy of
  // promise: Thirty days after its session ended
  test('is removed when the record and git have all of it, and then nothing is missing', async () => {
    const { lab, path } = await ended('stop')
    const before = await shown(lab, '001')
    expect(await tidiedAfter(lab, 29)).toBe(0)
    expect(await tidiedAfter(lab, 31)).toBe(1)
    expect(journals(lab)).toEqual([])
    expect(await shown(lab, '001')).toEqual(before)
    const lines = recordLines(lab, path)
    await lab.cortext(['save', '001'])
    expect(recordLines(lab, path)).toEqual(lines)
  })

  test('may be missing when the session continues', async () => {
    const { lab, claude } = await ended('exit')
    await committed(lab)
    const before = talk(await shown(lab, '001'))
    expect(await tidiedAfter(lab, 31)).toBe(1)
    await claude.hook('SessionStart', { source: 'resume' })
    await claude.turn('after a month')
    await lab.cortext(['stop', '001'])
    expect(talk(await shown(lab, '001'))).toEqual([
      ...before,
      'user: after a month',
      'assistant: answer to after a month',
    ])
  })

  test('stays while git has not committed the record', async () => {
    const { lab } = await ended('exit')
    expect(await tidiedAfter(lab, 31)).toBe(0)
  })

  // promise: A raw copy goes 30
  // promise: Thirty days after its session
  test('stays when a turn of it is not in the record', async () => {
    const { lab, path } = await ended('stop')
    const file = join(lab.root, path, '.session/messages.jsonl')
    writeFileSync(file, `${recordLines(lab, path).slice(0, -1).join('\n')}\n`)
    await committed(lab)
    expect(await tidiedAfter(lab, 31)).toBe(0)
    expect(journals(lab)).toHaveLength(1)
  })

  test('stays when a long output of it is not among the attachments', async () => {
    const { lab, path } = await ended('stop', 'x'.repeat(100_000))
    rmSync(join(lab.root, path, '.session/attachments'), { recursive: true })
    expect(await tidiedAfter(lab, 31)).toBe(0)
    await lab.cortext(['save', '001'])
    expect(await tidiedAfter(lab, 31)).toBe(1)
  })

  // promise: A raw copy goes 30
  // promise: the raw copy of a session is removed from this machine, if the record and git have all of it;
  // promise: Thirty days after its session
  test('stays in a private workspace, and where the settings keep it', async () => {
    const { lab } = await ended('stop')
    for (const [settings, gone] of [
      [{ visibility: 'private' }, 0],
      [{ visibility: 'shared', journal: { keepDays: 0 } }, 0],
      [{ visibility: 'shared', journal: { keepDays: 3 } }, 1],
    ] as const) {
      writeFileSync(join(lab.root, '.workspace/config.json'), JSON.stringify(settings))
      expect(await tidiedAfter(lab, 4)).toBe(gone)
    }
  })

  test('is reported by doctor, which removes it with --fix', async () => {
    const { lab } = await ended('stop')
    age(lab, 31)
    const { stdout } = await lab.cortext(['doctor'])
    expect(stdout).toMatch(/1 session.*are old: those that are in the record and committed are removed/)
    const { done } = await fix(later(lab, 31), lab.root)
    expect(done).toContainEqual(
      expect.stringMatching(/^removed the raw copy of a session: claude .* in the record/),
    )
    expect(journals(lab)).toEqual([])
  })
})

/** A conversation in Claude Code that a stop or the end of its session has ended. */
async function ended(how: 'stop' | 'exit', output = 'short') {
  const lab = await workspaceLab({ init: 'shared' })
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API')
  claude.user('Look.')
  claude.assistant([{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls' } }], 'tool_use')
  claude.user([{ type: 'tool_result', tool_use_id: 'toolu_1', content: output }])
  claude.assistant([{ type: 'text', text: 'I see.' }])
  await claude.hook('Stop')
  const { path } = await lab.json<{ path: string }>(['save', '001', '--json'])
  if (how === 'stop') await lab.cortext(['stop', '001'], { env: claude.env })
  else {
    await claude.hook('SessionEnd', { reason: 'exit' })
    await expect.poll(() => statusOf(lab), { timeout: 15_000 }).toBe('paused')
    await lab.json(['save', '001', '--json'])
  }
  return { lab, claude, path }
}

async function statusOf(lab: Lab): Promise<string | undefined> {
  const { conversations } = await lab.json<{ conversations: { status: string }[] }>(['list', '--json'])
  return conversations[0]?.status
}

async function committed(lab: Lab): Promise<void> {
  lab.git('add', '-A')
  lab.git('commit', '-qm', 'all')
}

/** How many journals go when somebody looks so many days later. */
async function tidiedAfter(lab: Lab, days: number): Promise<number> {
  return (await tidyJournals(openWorkspace(later(lab, days)))).length
}

function later(lab: Lab, days: number) {
  return { ...lab.environment, now: () => new Date(Date.now() + days * DAY) }
}

/** As if its session had ended so many days ago. */
function age(lab: Lab, days: number): void {
  const then = new Date(Date.now() - days * DAY)
  for (const file of journals(lab)) utimesSync(file, then, then)
  const folder = join(lab.root, '.git/cortext/bindings')
  for (const name of readdirSync(folder)) {
    const binding = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    for (const segment of binding.segments) segment.ended_at = then.toISOString()
    writeFileSync(join(folder, name), JSON.stringify(binding))
  }
}

function journals(lab: Lab): string[] {
  const folder = join(lab.root, '.git/cortext/journal/claude')
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.jsonl'))
        .map((name) => join(folder, name))
    : []
}

test('what killed processes have left is removed when a session ends: only our own files, only old ones, never through a link', async () => {
  const lab = await workspaceLab()
  const { id } = await lab.json<{ id: string }>(['start', 'plan', 'Here', '--json'])
  const folder = dirname(filesBelowNamed(lab, `${id}/plan.md`))
  const elsewhere = join(lab.home, 'elsewhere')
  mkdirSync(elsewhere)
  symlinkSync(elsewhere, join(folder, 'link'))
  const name = '.plan.md.0123456789abcdef.cortext-tmp'
  const local = join(lab.root, '.git/cortext')
  const left = [folder, join(lab.root, '.workspace'), local, join(local, 'metadata')].map((at) =>
    join(at, name),
  )
  const kept = [
    join(elsewhere, name),
    join(folder, 'mine.cortext-tmp'),
    join(folder, '.young.0123456789abcdef.cortext-tmp'),
  ]
  for (const file of [...left, ...kept]) writeFileSync(file, 'torn')
  for (const file of [...left, ...kept.slice(0, 2)]) utimesSync(file, 1, 1)
  tidyTemps(openWorkspace(lab.environment))
  expect(left.filter((file) => existsSync(file))).toEqual([])
  expect(kept.filter((file) => existsSync(file))).toEqual(kept)
})

function filesBelowNamed(lab: Lab, end: string): string {
  const found = readdirSync(join(lab.root, 'conversations'), { recursive: true, encoding: 'utf8' })
  return join(lab.root, 'conversations', found.find((path) => path.endsWith(end))!)
}
