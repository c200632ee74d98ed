import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { CountedGit } from '../helpers/counted-git.ts'
import { LONG } from '../helpers/long.ts'
import { type Lab, workspaceLab } from '../helpers/workspace-lab.ts'

const MANY = LONG ? 10_000 : 200
const TIME = LONG ? 1_800_000 : 120_000

/** The looks that must cost the same, whatever a merge has left. */
const LOOKS: [string, string[]][] = [
  ['list', ['list']],
  ['list --all --json', ['list', '--all', '--json']],
  ['search', ['search', 'second word']],
  ['bare cortext', []],
  ['resume --list', ['resume', '--list']],
  ['stats', ['stats']],
  ['show', ['show', 'conversations/2026-11-21/003-brainstorm-talk']],
  ['context', ['context', 'conversations/2026-11-21/003-brainstorm-talk']],
  ['export', ['export', 'conversations/2026-11-21/003-brainstorm-talk']],
  ['doctor', ['doctor', '--json']],
]

test.each([
  ['whose numbers a merge left at one side', 'counted'],
  ['whose session.json a merge left in conflict', 'joined'],
  ['that nobody has looked at yet, in a clone', 'new'],
  ['that began under one name in two clones', 'apart'],
] as const)(
  `conversations %s cost a look and a stop as many git processes at 10 as at ${MANY}; a look changes nothing that git sees, and a stop makes one commit for all`,
  async (_, left) => {
    // Of each of these a folder is made, so these are fewer.
    const size = left === 'apart' ? MANY / 10 : MANY
    const [few, many] = [await merged(10, left), await merged(size, left)]
    for (const [name, args] of LOOKS) {
      const [a, b] = [await lookOf(few, args), await lookOf(many, args)]
      tell(left, name, a, b)
      expect(b.length, `${name}: ${b.join('\n')}`).toBe(a.length)
      expect(a.length, `${name}: ${a.join('\n')}`).toBeLessThan(10)
    }
    const { conversations } = await few.lab.json<{ conversations: Listed[] }>(['list', '--all', '--json'])
    const counts = conversations.map(({ message_count }) => message_count)
    expect(new Set(counts), 'as if it were settled').toEqual(new Set([NUMBERS[left]]))
    expect((await few.lab.cortext(['list'])).stderr).toMatch(WORDS[left])

    const [a, b] = [await stopIn(few, 10, left), await stopIn(many, size, left)]
    tell(left, 'stop', a, b)
    expect(b.length, `stop: ${b.join('\n')}`).toBe(a.length)
    expect(a.length, `stop: ${a.join('\n')}`).toBeLessThan(60)
    expect((await few.lab.cortext(['list'])).stderr).not.toContain('A merge left conversations to settle')
  },
  TIME,
)

/** What a stop starts. It fails where that has not settled what a merge left, in one commit or in the person's merge. */
async function stopIn(
  { lab, counted, env }: World,
  size: number,
  left: keyof typeof WORDS,
): Promise<string[]> {
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'The one that stops')
  await claude.turn('A word')
  const commits = () => Number(lab.git('rev-list', '--count', 'HEAD'))
  const before = commits()
  counted.starts()
  const { code, stderr } = await lab.cortext(['stop'], { env: { ...env, ...claude.env } })
  const starts = counted.starts()
  expect(code, stderr).toBe(0)
  expect(commits() - before).toBe({ counted: 2, joined: 0, apart: 0, new: 1 }[left])
  const numbers = [1, size].map((number) => numbersOf(lab, number).message_count)
  expect(numbers).toEqual([NUMBERS[left], NUMBERS[left]])
  expect(lab.git('ls-files', '--unmerged')).toBe('')
  if (left === 'counted' || left === 'new') expect(lab.git('status', '--porcelain')).toBe('')
  return starts
}

/** The figures, where somebody wants them: CORTEXT_TELL=1. */
function tell(left: string, name: string, a: readonly string[], b: readonly string[]): void {
  if (process.env.CORTEXT_TELL !== undefined)
    process.stdout.write(`${left}\t${name}\t${a.length}\t${b.length}\n`)
}

const NUMBERS = { counted: 3, joined: 3, apart: 1, new: 1 }
const WORDS = {
  apart:
    /^A merge left conversations to settle: 10 that share a folder with another conversation, which is not shown yet\. /m,
  counted: /^A merge left conversations to settle: 10 to count again\. .*cortext doctor --fix$/m,
  joined:
    /^A merge left conversations to settle: 10 with a conflict in session\.json\. .*cortext doctor --fix$/m,
  new: /^(?!.*A merge left conversations to settle)/,
}

interface Listed {
  message_count: number
}

interface World {
  lab: Lab
  counted: CountedGit
  env: Record<string, string>
}

/** What the look starts. It fails where the look has changed something that git sees. */
async function lookOf({ lab, counted, env }: World, args: string[]): Promise<string[]> {
  const before = seenByGit(lab)
  counted.starts()
  const { code, stderr } = await lab.cortext(args, { env })
  const starts = counted.starts()
  expect([0, 1], stderr).toContain(code)
  expect(seenByGit(lab)).toEqual(before)
  return starts
}

function seenByGit(lab: Lab) {
  const git = (...args: string[]) => lab.git('--no-optional-locks', ...args)
  return [
    git('rev-parse', 'HEAD'),
    git('ls-files', '--stage'),
    git('status', '--porcelain', '--untracked-files=all'),
    // Too long for a text.
    execFileSync('sh', ['-c', 'git --no-optional-locks diff HEAD | git hash-object --stdin'], {
      cwd: lab.root,
      env: lab.env,
      encoding: 'utf8',
    }),
  ]
}

async function merged(size: number, left: keyof typeof WORDS): Promise<World> {
  const lab = await workspaceLab()
  const { git } = lab
  // Git's housekeeping in the background takes folders of objects away from the next command.
  git('config', 'maintenance.auto', 'false')
  if (left !== 'apart') for (let number = 1; number <= size; number++) say(lab, number, ['first word'])
  git('add', '--all')
  git('commit', '--quiet', '--message=begun')
  const counted = new CountedGit(join(lab.home, '..', 'bin'))
  const world = { lab, counted, env: { PATH: counted.path } }
  if (left === 'new') return world
  if (left !== 'apart') await lab.json(['save', 'conversations/2026-11-21/001-brainstorm-talk', '--json'])
  git('add', '--all')
  git('commit', '--quiet', '--allow-empty', '--message=saved')
  if (left === 'counted') {
    // As a merge leaves it that takes the lines of both sides, and the numbers of one.
    for (let number = 1; number <= size; number++) say(lab, number, ['second word', 'third word'], 1)
    git('commit', '--quiet', '--all', '--message=merged')
    return world
  }
  writeFileSync(join(lab.root, '.git/info/attributes'), '**/session.json merge\n')
  for (const word of ['second word', 'third word']) {
    git('checkout', '--quiet', '-b', word.slice(0, 5), 'trunk')
    for (let number = 1; number <= size; number++) say(lab, number, [word])
    git('add', '--all')
    git('commit', '--quiet', `--message=${word}`)
  }
  lab.tryGit('merge', '--quiet', '--no-edit', 'secon')
  return world
}

let minute = 0

/** Says something in a conversation as a program that knows the format would. */
function say(lab: Lab, number: number, texts: readonly string[], counted = texts.length): void {
  const id = `${String(number).padStart(3, '0')}-brainstorm-talk`
  const folder = join(lab.root, 'conversations/2026-11-21', id, '.session')
  mkdirSync(folder, { recursive: true })
  minute += 1
  const now = new Date(Date.UTC(2026, 10, 21) + minute * 1000).toISOString()
  const known = read(join(folder, 'session.json')) ?? begun(id, `${texts[0]?.slice(0, 5)}${number}`, now)
  const more = { role: 'user', timestamp: now, origin: known.origin }
  const lines = texts.map((content) => ({ id: `${content} ${number}`, content, ...more }))
  const messages = join(folder, 'messages.jsonl')
  writeFileSync(messages, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { flag: 'a' })
  const session = { ...known, last_active: now, message_count: Number(known.message_count) + counted }
  writeFileSync(join(folder, 'session.json'), `${JSON.stringify(session, null, 2)}\n`)
}

function begun(id: string, origin: string, now: string): Record<string, unknown> {
  return {
    version: '1.0',
    conversation_id: id,
    conversation_type: 'brainstorm',
    title: `Talk ${origin}`,
    status: 'paused',
    created_at: now,
    message_count: 0,
    token_count: 0,
    agent_sessions: [],
    origin: origin.padEnd(12, 'x'),
  }
}

function numbersOf(lab: Lab, number: number): Record<string, unknown> {
  const id = `${String(number).padStart(3, '0')}-brainstorm-talk`
  return read(join(lab.root, 'conversations/2026-11-21', id, '.session/session.json')) ?? {}
}

function read(file: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

test('a look at 12 quiet sessions starts as many git processes as one at 3, and git sees no change', async () => {
  const starts: number[] = []
  for (const size of [3, 12]) {
    const lab = await workspaceLab()
    lab.git('add', '--all')
    lab.git('commit', '--quiet', '--message=workspace')
    for (let number = 1; number <= size; number++) {
      const claude = new ClaudeSession(lab)
      await claude.command('workspace.brainstorm', `Quiet ${number}`)
      await claude.turn('a word')
      const then = new Date(Date.now() - 10 * 60_000)
      utimesSync(claude.transcript, then, then)
    }
    const counted = new CountedGit(join(lab.home, 'counting'))
    const look = await lookOf({ lab, counted, env: { PATH: counted.path } }, ['list'])
    expect((await lab.cortext(['list'])).stderr, 'told once').not.toContain('nothing was said for a while')
    starts.push(look.length)
  }
  expect(starts[1]).toBe(starts[0])
  expect(starts[0]).toBeLessThan(10)
})
