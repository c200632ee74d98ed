import { execFileSync } from 'node:child_process'
import { readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accounted } from '../../clients/claude/transcript.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { type DoctorLab, doctorLab } from '../../helpers/doctor-lab.ts'
import { type Lab, type Run, shown, talk } from '../../helpers/workspace-lab.ts'

interface Told {
  conversations: { id: string; path: string; title: string }[]
  not_saved: { client: string; native_id: string; messages: number; command: string }[]
}

function stopIn(lab: Lab, claude: ClaudeSession): Promise<Run | undefined> {
  return claude.command('workspace.stop-conversation', '', () =>
    lab.cortext(['agent', 'stop'], { env: claude.env }),
  )
}

function resumeIn(lab: Lab, claude: ClaudeSession, number: string): Promise<Run | undefined> {
  return claude.command('workspace.resume', number, () =>
    lab.cortext(['agent', 'resume', number], { env: claude.env }),
  )
}

/** Runs a command that the program has named, as a person would paste it. */
async function paste(lab: Lab, command: string): Promise<Run> {
  const ran = await lab.cortext(command.replace(/^cortext /, '').split(' '))
  expect(ran.code).toBe(0)
  return ran
}

/** Begun, one turn, stopped, three turns more. */
async function stopped(): Promise<{ lab: DoctorLab; claude: ClaudeSession }> {
  const lab = await doctorLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API design')
  await claude.turn('one')
  await stopIn(lab, claude)
  for (const words of ['two', 'three', 'four']) await claude.turn(words)
  return { lab, claude }
}

describe('three turns after a stop', () => {
  // promise: Of a session that
  // promise: count what was said
  test('are counted by list, resume --list, the picker and doctor, each with the command that imports them', async () => {
    const { lab, claude } = await stopped()
    const said = '6 messages said after the stop of 1 "API design"'
    const command = `cortext import claude ${claude.id}`
    for (const verb of [['list'], ['resume', '--list'], []])
      expect((await lab.cortext(verb)).stderr).toContain(`Not saved: ${said}: ${command}`)
    const { not_saved } = await lab.json<Told>(['list', '--json'])
    expect(not_saved).toEqual([{ client: 'claude', native_id: claude.id, messages: 6, command }])
    // The cache of lists has no words of the talk.
    expect(readFileSync(join(lab.root, '.git/cortext/unkept.json'), 'utf8')).not.toContain('title')
    expect((await lab.json<Told>(['--json'])).not_saved).toEqual(not_saved)
    expect((await lab.cortext(['--json', '--not-saved'])).stderr).toContain(
      '6 messages are in no conversation',
    )
    const { notes } = await lab.doctor()
    expect(notes.map(({ message, fix }) => [message, fix])).toContainEqual([
      `Claude Code ${claude.id}: not saved: ${said}`,
      command,
    ])
  })

  // promise: Paste the command, and they are in the conversation that they belong to, once
  // promise: Of a session that is saved in part it saves the rest, once
  // promise: count what was said in a session after a stop, and name the command that saves it.
  test('are imported whole and once, and the import accounts for every byte', async () => {
    const { lab, claude } = await stopped()
    const first = await lab.json<{ imported: Imported[] }>(['import', 'claude', claude.id, '--json'])
    const { path, report, before, taken } = first.imported[0]!
    expect(report.bytes).toBe(readFileSync(claude.transcript).length)
    expect(accounted(report)).toBe(report.bytes)
    expect(before).toEqual([{ path, messages: 4 }])
    expect(taken).toEqual([{ path, messages: 6 }])
    const all = ['/workspace.brainstorm API design', 'one', 'two', 'three', 'four']
    const expected = all.flatMap((words) => [`user: ${words}`, `assistant: answer to ${words}`])
    expect(talk(await shown(lab, '001'))).toEqual(expected)
    const record = readFileSync(join(lab.root, path, '.session/messages.jsonl'), 'utf8')
    const again = await lab.cortext(['import', 'claude', claude.id])
    expect(again.stdout).toMatch(
      /^API design: 10 saved, 0 lost, nothing new \(.*\)\n {2}saved before in 1 "API design": 10 messages\n$/,
    )
    expect(readFileSync(join(lab.root, path, '.session/messages.jsonl'), 'utf8')).toBe(record)
    expect((await lab.json<Told>(['list', '--json'])).not_saved).toEqual([])
  })

  test('are imported by --into as well, and what is said later is counted again', async () => {
    const { lab, claude } = await stopped()
    await lab.json(['import', 'claude', claude.id, '--into', '001', '--json'])
    expect(talk(await shown(lab, '001')).at(-1)).toBe('assistant: answer to four')
    await claude.turn('five')
    const { not_saved } = await lab.json<Told>(['list', '--json'])
    expect(not_saved).toMatchObject([{ messages: 2 }])
    await paste(lab, not_saved[0]!.command)
    expect(talk(await shown(lab, '001')).slice(-2)).toEqual(['user: five', 'assistant: answer to five'])
  })

  test('are counted without reading a transcript again that has not grown', async () => {
    const { lab, claude } = await stopped()
    await lab.json(['list', '--json'])
    // What cannot be opened any more is remembered; what has changed is not.
    const hidden = `${claude.transcript}.hidden`
    const { not_saved } = await lab.json<Told>(['list', '--json'])
    renameSync(claude.transcript, hidden)
    expect((await lab.json<Told>(['list', '--json'])).not_saved).toEqual([])
    renameSync(hidden, claude.transcript)
    expect((await lab.json<Told>(['list', '--json'])).not_saved).toEqual(not_saved)
  })

  test('belong to the first of two conversations of one session; talk before the first belongs to the first too', async () => {
    const lab = await doctorLab()
    const claude = new ClaudeSession(lab)
    await claude.turn('before')
    await claude.command('workspace.plan', 'First')
    await stopIn(lab, claude)
    await claude.turn('between')
    await claude.command('workspace.plan', 'Second')
    await claude.turn('in the second')
    await stopIn(lab, claude)
    const { stderr } = await lab.cortext(['list'])
    expect(stderr).toContain('2 messages said before 1 "First", 2 messages said after the stop of 1 "First"')
    await paste(lab, (await lab.json<Told>(['list', '--json'])).not_saved[0]!.command)
    expect(talk(await shown(lab, '001')).filter((line) => line.startsWith('user'))).toEqual([
      'user: before',
      'user: /workspace.plan First',
      'user: between',
    ])
    expect((await lab.json<Told>(['list', '--json'])).not_saved).toEqual([])
    expect(talk(await shown(lab, '002'))).toHaveLength(4)
  })
})

interface Imported {
  path: string
  report: Parameters<typeof accounted>[0] & { bytes: number }
  before: { path: string; messages: number }[]
  taken: { path: string; messages: number }[]
}

test('after a stop, a resume in the same session, two turns, the loss of the local folder and one turn, nothing is out of sight', async () => {
  const lab = await doctorLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.plan', 'Here')
  await claude.turn('one')
  await stopIn(lab, claude)
  await resumeIn(lab, claude, '1')
  await claude.turn('two')
  await claude.turn('three')
  rmSync(join(lab.root, '.git/cortext'), { recursive: true })
  await claude.turn('four')
  const { problems } = await lab.doctor()
  const found = problems.filter(({ code }) => code === 'unrecorded')
  expect(found).toMatchObject([{ fix: `cortext import claude ${claude.id}` }])
  expect(found[0]!.message).toContain('6 messages said in 1 "Here"')
  await paste(lab, found[0]!.fix!)
  expect(talk(await shown(lab, '001')).filter((line) => line.startsWith('user'))).toEqual(
    ['/workspace.plan Here', 'one', 'two', 'three', 'four'].map((words) => `user: ${words}`),
  )
  expect((await lab.doctor()).problems.filter(({ code }) => code === 'unrecorded')).toEqual([])
})

type Step =
  | 'start'
  | 'turn'
  | 'stop'
  | 'stop outside'
  | 'resume'
  | 'save'
  | 'leave'
  | 'state gone'
  | 'new .git'
  | 'clone'
const STEPS: Step[] = [
  'start',
  'turn',
  'stop',
  'stop outside',
  'resume',
  'save',
  'leave',
  'state gone',
  'new .git',
  'clone',
]

describe('law: all talk of a transcript is in the record, or is counted and imported by the command that is named', () => {
  test('in every order of starts, turns, stops, resumes and losses of the local folder', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...STEPS), { minLength: 3, maxLength: 9 }), async (steps) => {
        await holds(['start', 'turn', ...steps])
      }),
      {
        numRuns: Number(process.env.CORTEXT_UNKEPT ?? 6),
        ...(process.env.CORTEXT_SEED ? { seed: Number(process.env.CORTEXT_SEED) } : {}),
      },
    )
  }, 600_000)

  test.each([
    ['after the start', ['start', 'state gone', 'turn']],
    ['after a turn', ['start', 'turn', 'state gone', 'turn']],
    ['after a save', ['start', 'turn', 'save', 'state gone', 'turn']],
    ['between a save and a stop', ['start', 'turn', 'save', 'new .git', 'stop', 'start']],
    ['before the first save, with a stop', ['start', 'turn', 'new .git', 'turn', 'stop', 'turn']],
    ['after a stop', ['start', 'turn', 'stop', 'state gone', 'turn']],
    ['after words behind a stop', ['start', 'turn', 'stop', 'turn', 'state gone', 'turn']],
    ['after words behind a stop, and then a stop', ['start', 'turn', 'stop', 'turn', 'new .git', 'stop']],
    ['after a resume', ['start', 'turn', 'stop', 'resume', 'state gone', 'turn']],
    ['after a turn in the resumed one', ['start', 'turn', 'stop', 'resume', 'turn', 'state gone', 'turn']],
    ['after a second stop', ['start', 'turn', 'stop', 'resume', 'turn', 'stop', 'state gone', 'turn']],
    ['between two conversations', ['start', 'turn', 'stop', 'start', 'turn', 'state gone', 'turn']],
    [
      'after a second conversation was stopped',
      ['start', 'turn', 'start', 'turn', 'stop', 'new .git', 'turn'],
    ],
    ['twice', ['start', 'turn', 'state gone', 'turn', 'stop', 'resume', 'turn', 'new .git', 'turn']],
  ] as [string, Step[]][])('the local folder is gone %s', async (_, steps) => {
    await holds(steps)
  })
})

async function holds(steps: readonly Step[]): Promise<void> {
  const lab = await doctorLab()
  const claude = new ClaudeSession(lab)
  const words: string[] = []
  let titles = 0
  for (const step of steps) {
    if (step === 'turn') {
      words.push(`words ${words.length}`)
      await claude.turn(words.at(-1)!)
    } else if (step === 'start') await claude.command('workspace.plan', `Title ${++titles}`)
    else if (step === 'stop') await stopIn(lab, claude)
    else if (step === 'stop outside') await lab.cortext(['stop'])
    else if (step === 'resume') await resumeIn(lab, claude, '1')
    else if (step === 'save') await lab.cortext(['save', '1'])
    else if (step === 'leave') {
      await claude.hook('SessionEnd', { reason: 'exit' })
      await claude.hook('SessionStart', { source: 'resume' })
    } else await lose(lab, step)
  }
  const missing = async () => {
    const { conversations } = await lab.json<Told>(['list', '--all', '--json'])
    const said = (await Promise.all(conversations.map(({ path }) => shown(lab, path)))).flatMap(talk)
    const twice = words.filter((one) => said.filter((line) => line === `user: ${one}`).length > 1)
    expect({ steps, twice }).toEqual({ steps, twice: [] })
    return words.filter((one) => !said.includes(`user: ${one}`))
  }
  const before = await missing()
  const { not_saved } = await lab.json<Told>(['list', '--json'])
  const { native } = await lab.json<{ native: { native_id: string }[] }>(['--json'])
  const { problems, notes } = await lab.doctor()
  const fixes = [...problems, ...notes].filter(({ code }) => code === 'unrecorded' || code === 'not-saved')
  const counted = not_saved.reduce((sum, { messages }) => sum + messages, 0)
  // A session of which no conversation is left is offered whole.
  if (native.length === 0)
    expect({ steps, counted: counted / 2 >= before.length }).toEqual({ steps, counted: true })
  expect({ steps, told: fixes.length > 0 }).toEqual({
    steps,
    told: before.length > 0 || counted > 0 || native.length > 0,
  })
  for (const { fix } of fixes) await paste(lab, fix!)
  expect({ steps, missing: await missing() }).toEqual({ steps, missing: [] })
  const { not_saved: left } = await lab.json<Told>(['list', '--json'])
  expect({ steps, left }).toEqual({ steps, left: [] })
}

/** Removes a folder in which a process may still be saving a session that has just ended. */
async function remove(folder: string, tries = 20): Promise<void> {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    if (tries === 0) throw error
    await new Promise((resolve) => setTimeout(resolve, 50))
    await remove(folder, tries - 1)
  }
}

async function lose(lab: Lab, how: Step): Promise<void> {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: lab.root, env: lab.env, stdio: 'pipe' })
  if (how === 'state gone') await remove(join(lab.root, '.git/cortext'))
  else if (how === 'clone') {
    git('add', '--all')
    git('commit', '--quiet', '--allow-empty', '--message=all')
    const copy = `${lab.root}-copy`
    await remove(copy)
    execFileSync('git', ['clone', '--quiet', lab.root, copy], { env: lab.env, stdio: 'pipe' })
    await remove(lab.root)
    renameSync(copy, lab.root)
  } else {
    await remove(join(lab.root, '.git'))
    git('init', '--quiet', '--initial-branch=trunk')
  }
}
