import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newOwner } from '../../../src/store/machine/locks/lock-owner.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { codes, type DoctorLab, doctorLab, snapshot } from '../../helpers/doctor-lab.ts'
import { shown, talk } from '../../helpers/workspace-lab.ts'

const MINUTE = 60_000

/** The number of a process that is no more. */
const ENDED = Number(execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }))

describe('doctor checks the recording', () => {
  // promise: It only reads; `cortext doctor
  test('S4-P5-11 turns that happened without a hook are reported, and saved by --fix; a second --fix finds nothing', async () => {
    const lab = await doctorLab()
    const { claude, path } = await talking(lab)
    claude.say('nobody')
    claude.say('heard this')
    const before = snapshot(dirname(lab.root))
    expect((await lab.doctor()).problems).toMatchObject([
      { code: 'unpublished-missed', message: expect.stringContaining(path), fixable: true },
    ])
    expect(snapshot(dirname(lab.root))).toEqual(before)
    const fixed = await lab.doctor('--fix')
    expect(fixed).toMatchObject({ code: 0, problems: [] })
    expect(fixed.diagnosis.done).toEqual([`saved ${path}`])
    expect(talk(await shown(lab, '001'))).toEqual(
      expect.arrayContaining(['user: nobody', 'user: heard this']),
    )
    expect((await lab.doctor('--fix')).diagnosis.done).toEqual([])
    // Saved, not ended: what is said next is recorded as before.
    await claude.turn('and on')
    expect(talk(await shown(lab, '001'))).toContain('user: and on')
  })

  test('one turn that the client wrote late, or that is still running, is not a problem', async () => {
    const lab = await doctorLab()
    const { claude } = await talking(lab)
    claude.say('late')
    expect((await lab.doctor()).problems).toEqual([])
    claude.user('and one that is being worked on')
    claude.user('and one that was typed meanwhile')
    expect((await lab.doctor()).problems).toEqual([])
  })

  test('a session that went quiet leaves nothing to save: its words wait for the stop', async () => {
    const lab = await doctorLab()
    const { claude, path } = await talking(lab)
    const quiet = new Date(Date.now() - 20 * MINUTE)
    utimesSync(claude.transcript, quiet, quiet)
    expect((await lab.doctor()).notes).toEqual([])
    expect((await lab.doctor('--fix')).diagnosis.done).toEqual([`saved ${path}`])
    expect((await lab.doctor('--fix')).diagnosis.done).toEqual([])
    expect(await statusOf(lab, path)).toBe('paused')
    expect(talk(await shown(lab, '001'))).toContain('user: more')
  })

  test('a client that was killed leaves its conversation open: noted, and --fix saves and closes it', async () => {
    const lab = await doctorLab()
    const { path } = await talking(lab)
    const file = bindingFile(lab)
    const binding = JSON.parse(readFileSync(file, 'utf8'))
    binding.segments[0].process = { ...binding.segments[0].process, pid: ENDED, start: '1' }
    writeFileSync(file, JSON.stringify(binding))
    expect((await lab.doctor()).notes).toMatchObject([{ code: 'unpublished-killed', fixable: true }])
    expect((await lab.doctor('--fix')).diagnosis.done).toEqual([`saved ${path}`])
    expect((await lab.doctor('--fix')).diagnosis.done).toEqual([])
    expect(await statusOf(lab, path)).toBe('paused')
  })

  test('turns of a session that ended and was not saved are a problem, unless another process is saving them', async () => {
    const lab = await doctorLab()
    const { claude, path } = await talking(lab)
    const file = bindingFile(lab)
    const binding = JSON.parse(readFileSync(file, 'utf8'))
    const size = readFileSync(claude.transcript).length
    const ended = (at: Date) =>
      writeFileSync(
        file,
        JSON.stringify({
          ...binding,
          segments: [
            { ...binding.segments[0], to: size, ended_by: 'session-end', ended_at: at.toISOString() },
          ],
        }),
      )
    ended(new Date())
    expect((await lab.doctor()).problems).toEqual([])
    ended(new Date(Date.now() - 5 * MINUTE))
    expect((await lab.doctor()).problems).toMatchObject([{ code: 'unpublished-ended', fixable: true }])
    expect(await lab.doctor('--fix')).toMatchObject({ code: 0, diagnosis: { done: [`saved ${path}`] } })
    expect(await statusOf(lab, path)).toBe('paused')
  })

  // promise: deletes its own transcripts after
  test('a transcript that vanished is reported, with its conversation', async () => {
    const lab = await doctorLab()
    const { claude } = await talking(lab)
    rmSync(claude.transcript)
    const { problems } = await lab.doctor()
    expect(problems).toMatchObject([
      { code: 'transcript-gone', message: expect.stringContaining(claude.transcript) },
    ])
    await pasted(lab, problems[0]!.fix!)
    expect((await lab.doctor()).problems).toEqual([])
    expect(talk(await shown(lab, '001'))).toContain('user: more')
  })

  test('a binding that cannot be read is reported, stays where it is, and importing the session repairs it', async () => {
    const lab = await doctorLab()
    const { claude, path } = await talking(lab)
    await lab.json(['save', '001', '--json'])
    const file = bindingFile(lab)
    writeFileSync(file, '{"client":')
    const before = snapshot(dirname(lab.root))
    const { problems } = await lab.doctor()
    expect(snapshot(dirname(lab.root))).toEqual(before)
    expect(problems).toMatchObject([{ code: 'broken-binding', fix: `cortext import claude ${claude.id}` }])
    renameSync(file, `${file}.broken`)
    expect((await lab.doctor()).problems).toMatchObject([{ code: 'broken-binding', fix: problems[0]!.fix }])
    await pasted(lab, problems[0]!.fix!)
    expect((await lab.doctor()).problems).toEqual([])
    expect(talk(await shown(lab, path.split('/').at(-1)!))).toContain('user: more')
  })

  test('a conversation that was deleted by hand while it was being recorded is reported', async () => {
    const lab = await doctorLab()
    const { path, claude } = await talking(lab)
    rmSync(join(lab.root, path), { recursive: true })
    rmSync(join(lab.root, '.git', 'cortext', 'metadata'), { recursive: true, force: true })
    const { problems } = await lab.doctor()
    expect(problems).toMatchObject([{ code: 'lost-conversation', message: expect.stringContaining(path) }])
    expect(problems[0]!.fix).toBe(`cortext import claude ${claude.id}`)
    await pasted(lab, problems[0]!.fix!)
    expect(talk(await shown(lab, '001'))).toContain('user: more')
  })

  test('the failure of a hook is a problem until something is recorded again', async () => {
    const lab = await doctorLab()
    const { claude } = await talking(lab)
    const log = join(lab.root, '.git', 'cortext', 'log')
    writeFileSync(log, `2020-01-01T00:00:00.000Z hook claude: long ago\n`)
    expect((await lab.doctor()).problems).toEqual([])
    appendFileSync(log, `${new Date().toISOString()} hook claude: Error: the disk is full    at x (y.js)\n`)
    const { problems } = await lab.doctor()
    expect(problems).toMatchObject([{ code: 'failed', fix: `tail ${log}` }])
    expect(problems[0]!.message).toMatch(/^1 failure .*Error: the disk is full; nothing was recorded since$/)
    await claude.turn('it has room again')
    const after = await lab.doctor()
    expect(after.problems).toEqual([])
    expect(codes(after.notes)).toEqual(['failed-once'])
  })

  // promise: It only reads; `cortext doctor
  test('a lock that a process left behind is removed by --fix; a lock that is held is not', async () => {
    const lab = await doctorLab()
    await talking(lab)
    const locks = join(lab.root, '.git', 'cortext', 'locks')
    const [stale, held] = [join(locks, 'a.lock'), join(locks, 'b.lock')]
    for (const folder of [stale, held]) mkdirSync(folder)
    writeFileSync(join(stale, 'a.held'), ownedBy(ENDED))
    writeFileSync(join(held, 'b.held'), ownedBy(process.pid))
    const { problems, notes } = await lab.doctor()
    expect(notes).toMatchObject([
      { code: 'stale-lock', message: expect.stringContaining(stale), fixable: true },
    ])
    expect(problems).toMatchObject([
      { code: 'held-lock', message: expect.stringContaining(String(process.pid)) },
    ])
    expect((await lab.doctor('--fix')).diagnosis.done).toEqual([`removed ${stale}`])
    expect([stale, held].map((path) => existsSync(path))).toEqual([false, true])
    expect((await lab.doctor('--fix')).diagnosis.done).toEqual([])
  })
})

describe('doctor reads the record', () => {
  test('E-7 E-16 a broken session.json, a conflict and a torn line are reported by path and line; the command repairs them', async () => {
    const lab = await doctorLab()
    for (const title of ['One', 'Two', 'Three']) {
      const claude = new ClaudeSession(lab)
      await claude.command('workspace.plan', title)
      await claude.command('workspace.stop-conversation', '', () =>
        lab.cortext(['stop'], { env: claude.env }),
      )
    }
    const day = join(lab.root, 'conversations', readdirSync(join(lab.root, 'conversations'))[0]!)
    const [one, two, three] = readdirSync(day)
      .sort()
      .map((name) => join(day, name, '.session')) as [string, string, string]
    writeFileSync(join(one, 'session.json'), '{')
    const messages = readFileSync(join(two, 'messages.jsonl'), 'utf8').split('\n')
    writeFileSync(
      join(two, 'messages.jsonl'),
      [messages[0], '<<<<<<< ours', messages[1], '=======', messages[2], '>>>>>>> theirs', ''].join('\n'),
    )
    appendFileSync(join(three, 'messages.jsonl'), '{"id":"half')
    const before = snapshot(dirname(lab.root))
    const { problems, notes } = await lab.doctor()
    expect(snapshot(dirname(lab.root))).toEqual(before)
    expect(problems).toMatchObject([
      {
        code: 'session-corrupt',
        message: expect.stringContaining(join(one, 'session.json')),
        fix: 'cortext save 001-plan-one',
      },
      { code: 'messages-conflict', message: expect.stringContaining(`${join(two, 'messages.jsonl')}:2 `) },
    ])
    expect(notes).toMatchObject([
      {
        code: 'messages-unreadable',
        message: expect.stringMatching(/messages\.jsonl:\d+ is not a message \(torn\)/),
      },
    ])
    await pasted(lab, problems[0]!.fix!)
    expect(codes((await lab.doctor()).problems)).toEqual(['messages-conflict'])
  })

  test('two lines of one message with other words are noted, but not a line that continues another', async () => {
    const lab = await doctorLab()
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.plan', 'Rivals')
    await claude.command('workspace.stop-conversation', '', () => lab.cortext(['stop'], { env: claude.env }))
    const [day] = readdirSync(join(lab.root, 'conversations'))
    const [name] = readdirSync(join(lab.root, 'conversations', day!))
    const path = join(lab.root, 'conversations', day!, name!, '.session', 'messages.jsonl')
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
    const said = lines.map((line) => JSON.parse(line)).find(({ role }) => role === 'assistant')
    const add = (content: string) => appendFileSync(path, `${JSON.stringify({ ...said, content })}\n`)
    add(`${said.content} And more.`)
    expect(codes((await lab.doctor()).notes)).toEqual([])
    add('Forged')
    const { notes } = await lab.doctor()
    expect(notes).toMatchObject([
      { code: 'messages-rival', message: expect.stringContaining(`and :${lines.length + 2} are`) },
    ])
  })
})

describe('doctor checks git', () => {
  test('E-28 a detached HEAD, and .session/ that git ignores, are noted; in a private workspace neither', async () => {
    const lab = await doctorLab()
    lab.git('checkout', '--quiet', '--detach')
    writeFileSync(join(lab.root, '.gitignore'), '.session/\n')
    const { notes } = await lab.doctor('--fix')
    expect(codes(notes)).toEqual(['no-commit', 'session-ignored'])
    await lab.cortext(['init', '--private'])
    expect(await lab.doctor()).toMatchObject({ problems: [], notes: [] })
  })

  test('a workspace without git is noted, and is not a problem', async () => {
    const lab = await doctorLab({ git: 'none' })
    expect(await lab.doctor()).toMatchObject({ code: 0, problems: [], notes: [] })
  })
})

describe('doctor counts the clients’ own sessions', () => {
  test('E-19 sessions that are not saved are counted, and the one that its client deletes next is named', async () => {
    const lab = await doctorLab()
    lab.put(join(lab.home, '.claude', 'settings.json'), '{"cleanupPeriodDays": 10}')
    for (const [title, days] of [
      ['young', 1],
      ['old', 7],
    ] as const) {
      const claude = new ClaudeSession(lab)
      claude.say(title)
      const at = new Date(Date.now() - days * 24 * 60 * MINUTE)
      utimesSync(claude.transcript, at, at)
    }
    const { notes, problems } = await lab.doctor()
    expect(problems).toEqual([])
    expect(notes.map(({ message }) => message)).toEqual([
      `2 sessions of Claude Code in ${lab.root} are not saved`,
      'Claude Code deletes its own sessions after 10 days (cleanupPeriodDays); of the sessions that are not saved here, the first is deleted in 3 days: "old"',
    ])
    await pasted(lab, notes[0]!.fix!)
    expect((await lab.doctor()).notes).toEqual([])
  })
})

async function talking(lab: DoctorLab) {
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'Topic')
  await claude.turn('more')
  const { conversations } = await lab.json<{ conversations: { path: string }[] }>(['list', '--json'])
  return { claude, path: conversations[0]!.path }
}

async function statusOf(lab: DoctorLab, path: string): Promise<string | undefined> {
  const all = ['list', '--all', '--json']
  const { conversations } = await lab.json<{ conversations: { path: string; status: string }[] }>(all)
  return conversations.find((one) => one.path === path)?.status
}

/** A command that a finding proposes, run as a person would. */
async function pasted(lab: DoctorLab, command: string): Promise<void> {
  execFileSync('/bin/sh', ['-ec', command], {
    cwd: lab.root,
    env: lab.environment.env as Record<string, string>,
    stdio: 'pipe',
  })
}

function bindingFile(lab: DoctorLab): string {
  const folder = join(lab.root, '.git', 'cortext', 'bindings')
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.json'))!)
}

/** A lock of a process of this machine, taken a while ago. */
function ownedBy(pid: number): string {
  const at = new Date(Date.now() - 5 * MINUTE).toISOString()
  return JSON.stringify({ ...newOwner(), pid, start: '', at })
}

test('what this machine cannot read is a finding, and the other checks still run', async () => {
  const lab = await doctorLab()
  const { path } = await talking(lab)
  writeFileSync(join(lab.root, path, '.session/session.json'), '<<<<<<< ours\n')
  const newer = { format: 99, client: 'claude', native_id: 'x', transcript: '', root: lab.root, segments: [] }
  writeFileSync(join(lab.root, '.git/cortext/bindings/claude-x.json'), JSON.stringify(newer))
  const { problems } = await lab.doctor()
  expect(problems.filter(({ message }) => message.includes('claude-x.json'))).toHaveLength(1)
  expect(problems.some(({ message }) => message.includes(path))).toBe(true)
})
