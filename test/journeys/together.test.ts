import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import {
  ended,
  type Lab,
  recordLines,
  sessionFile,
  shown,
  talk,
  workspaceLab,
} from '../helpers/workspace-lab.ts'

test('E-17 while eight processes save and the transcript grows, every line is whole, and every turn is recorded once', async () => {
  const lab = await workspaceLab()
  const { claude, id, path } = await conversation(lab, 'Busy')
  const said = ['/workspace.brainstorm Busy']
  const saving = Array.from({ length: 8 }, async () => {
    for (let round = 0; round < 3; round++) await lab.json(['save', id, '--json'])
  })
  for (let number = 0; number < 40; number++) {
    claude.say(`turn ${number}`)
    said.push(`turn ${number}`)
    await sleep(20)
  }
  await Promise.all(saving)
  await lab.json(['save', id, '--json'])
  expect(talk(await shown(lab, id))).toEqual(exchanges(said))
  const ids = recordLines(lab, path).map((line) => (JSON.parse(line) as { id: string }).id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('E-16 E-22 after saves were killed at any moment, again and again, everything is there', async () => {
  const lab = await workspaceLab()
  const { claude, id, path } = await conversation(lab, 'Killed')
  const said = ['/workspace.brainstorm Killed']
  let killed = 0
  for (let number = 0; number < 14; number++) {
    const text = `turn ${number} ${'x'.repeat(20_000)}`
    claude.say(text)
    said.push(text)
    const child = lab.begin(['save', id])
    const run = ended(child)
    await sleep(60 + number * 12)
    child.kill('SIGKILL')
    if ((await run).code === null) killed += 1
  }
  expect(killed).toBeGreaterThan(0)
  await lab.json(['save', id, '--json'])
  expect(talk(await shown(lab, id))).toEqual(exchanges(said))
  expect(JSON.parse(readFileSync(sessionFile(lab, path), 'utf8')).message_count).toBe(said.length * 2)
})

test('E-10 eight conversations that begin at the same moment get eight numbers, and eight stops make eight commits', async () => {
  const lab = await workspaceLab()
  const made = await Promise.all(
    Array.from({ length: 8 }, () =>
      lab.json<{ id: string; path: string }>(['start', 'debug', 'Same', '--json']),
    ),
  )
  expect(made.map(({ id }) => id.slice(0, 3)).sort()).toEqual(
    Array.from({ length: 8 }, (_, index) => `00${index + 1}`),
  )
  await Promise.all(made.map(({ id }) => lab.json(['stop', id, '--json'])))
  expect(lab.git('log', '--format=%s').match(/session state saved/g)).toHaveLength(8)
  expect(lab.git('status', '--porcelain', 'conversations')).toBe('')
})

test('a conversation that only another branch has says so, and not that it is not saved', async () => {
  const lab = await workspaceLab()
  lab.git('add', '--all')
  lab.git('commit', '--quiet', '--message=workspace')
  lab.git('checkout', '--quiet', '-b', 'topic')
  await conversation(lab, 'On a branch')
  expect((await lab.cortext(['show', '1'])).stdout).toContain('Record: not saved yet')
  await lab.cortext(['stop', '1'])
  lab.git('checkout', '--quiet', '-')
  expect((await lab.cortext(['show', '1'])).stdout).toContain('Record: not in this work tree')
})

test('two clones that began under one name: until the merge is settled, no word counts as not saved', async () => {
  const lab = await workspaceLab()
  lab.git('add', '--all')
  lab.git('commit', '--quiet', '--message=workspace')
  const clone = join(lab.home, 'clone')
  execFileSync('git', ['clone', '--quiet', lab.root, clone], { env: lab.environment.env })
  const first = new ClaudeSession(lab)
  first.say('in the clone')
  const imported = [
    'import',
    'claude',
    '--file',
    first.transcript,
    '--type',
    'plan',
    '--title',
    'Next sprint',
  ]
  await lab.cortext(imported, { cwd: clone })
  const inClone = (...args: string[]) => execFileSync('git', args, { cwd: clone, env: lab.environment.env })
  inClone('add', '--all')
  inClone('commit', '--quiet', '--message=imported')
  const second = new ClaudeSession(lab)
  await second.command('workspace.plan', 'Next sprint')
  await second.turn('here')
  await lab.cortext(['stop', '1'])
  lab.git('pull', '--quiet', '--no-rebase', '--no-edit', clone, 'HEAD')
  const list = await lab.cortext(['list'])
  expect(list.stderr).toContain('A merge left conversations to settle')
  expect(list.stderr).not.toContain('Not saved')
  expect((await lab.cortext(['doctor'])).stdout).not.toContain('that is gone')
})

test('S1-001j a conversation that began in one worktree is seen from the other, and nothing is there twice', async () => {
  const lab = await workspaceLab()
  lab.git('add', '--all')
  lab.git('commit', '--quiet', '--message=workspace')
  const other = join(lab.root, '..', 'other')
  lab.git('worktree', 'add', '--quiet', '-b', 'other', other)
  const { claude, id, path } = await conversation(lab, 'Shared')
  const there = { cwd: other }
  const list = await lab.json<{ conversations: { path: string }[] }>(['list', '--json'], there)
  expect(list.conversations.map((one) => one.path)).toEqual([path])
  const said = exchanges(['/workspace.brainstorm Shared'])
  expect(talk(await shown(lab, id, there))).toEqual(said)

  // Saved from the other worktree, then from its own: each work tree has it whole.
  await lab.json(['save', id, '--json'], there)
  await claude.turn('second')
  await lab.json(['stop', id, '--json'])
  const whole = [...said, ...exchanges(['second'])]
  expect(talk(await shown(lab, id, there))).toEqual(whole)
  expect(talk(await shown(lab, id))).toEqual(whole)
  for (const cwd of [lab.root, other]) {
    const all = await lab.json<{ conversations: object[] }>(['list', '--all', '--json'], { cwd })
    expect(all.conversations).toHaveLength(1)
  }
})

test('a conversation of a linked worktree outlives the worktree', async () => {
  const lab = await workspaceLab()
  lab.git('add', '--all')
  lab.git('commit', '--quiet', '--message=workspace')
  const other = join(lab.root, '..', 'other')
  lab.git('worktree', 'add', '--quiet', '-b', 'other', other)
  const claude = new ClaudeSession(lab, other)
  await claude.command('workspace.brainstorm', 'Gone')
  await claude.turn('kept')
  lab.git('worktree', 'remove', '--force', other)
  expect(existsSync(other)).toBe(false)
  expect(talk(await shown(lab, 'gone'))).toEqual(exchanges(['/workspace.brainstorm Gone', 'kept']))
  await lab.json(['stop', '001', '--json'])
  rmSync(claude.transcript)
  expect(talk(await shown(lab, 'gone'))).toEqual(exchanges(['/workspace.brainstorm Gone', 'kept']))
})

// promise: that both go on with a conversation have all of it after a pull.
// promise: Nothing but a JSON parser is needed to read them
test('E-21 Q-14 after two clones both continued, git merges them, they are read, and the next save settles the file', async () => {
  const lab = await workspaceLab()
  lab.git('add', '--all')
  lab.git('commit', '--quiet', '--message=workspace')
  const { claude, id, path } = await conversation(lab, 'Merged')
  await lab.json(['stop', id, '--json'])
  const clone = join(lab.root, '..', 'clone')
  lab.git('clone', '--quiet', lab.root, clone)

  await goOn(lab, claude, lab.root, id, 'said here')
  await goOn(lab, new ClaudeSession(lab, clone), clone, id, 'said there')
  // As on a server, where git knows no driver of ours.
  lab.git('config', '--remove-section', 'merge.cortext')
  const pull = () => lab.git('pull', '--quiet', '--no-rebase', '--no-edit', clone, 'trunk')
  expect(pull).toThrow()
  expect(readFileSync(sessionFile(lab, path), 'utf8')).toContain('<<<<<<<')

  const said = await shown(lab, id)
  const whole = exchanges(['/workspace.brainstorm Merged', 'said here', 'said there'])
  expect(talk(said)).toEqual(whole)
  const listed = await lab.json<{ conversations: { id: string }[] }>(['list', '--all', '--json'])
  expect(listed.conversations.map((one) => one.id)).toEqual([id])
  expect((await lab.cortext(['list', '--all'])).stdout).toMatch(/^1 .* Merged$/m)

  await lab.json(['save', id, '--json'])
  expect(JSON.parse(readFileSync(sessionFile(lab, path), 'utf8'))).toMatchObject({
    title: 'Merged',
    status: 'paused',
    message_count: 6,
  })
  expect(talk(await shown(lab, id))).toEqual(whole)
  const lines = recordLines(lab, path)
  expect(new Set(lines).size).toBe(lines.length)
  lab.git('add', '--all')
  lab.git('commit', '--quiet', '--message=merged')
})

/** A conversation with its first exchange, in a client session of its own. */
async function conversation(lab: Lab, title: string) {
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', title)
  const { id, path } = await lab.json<{ id: string; path: string }>(['start', 'brainstorm', '--json'], {
    env: claude.env,
  })
  return { claude, id, path }
}

/** Resumed inside a running client, one turn, stopped. */
async function goOn(lab: Lab, claude: ClaudeSession, cwd: string, id: string, text: string): Promise<void> {
  const run = { cwd, env: claude.env }
  mkdirSync(join(claude.transcript, '..'), { recursive: true })
  const resumed = await claude.command('workspace.resume', id, () =>
    lab.cortext(['agent', 'resume', id], run),
  )
  expect(resumed?.code, resumed?.stderr).toBe(0)
  await claude.turn(text)
  const stopped = await claude.command('workspace.stop-conversation', '', () =>
    lab.cortext(['stop', '--json'], run),
  )
  expect(stopped?.code, stopped?.stderr).toBe(0)
  expect(execFileSync('git', ['log', '-1', '--format=%s'], { cwd, encoding: 'utf8' })).toContain('Merged')
}

function exchanges(prompts: string[]): string[] {
  return prompts.flatMap((prompt) => [`user: ${prompt}`, `assistant: answer to ${prompt}`])
}
