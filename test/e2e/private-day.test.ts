import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type ClientId, clientList } from '../../src/clients/index.ts'
import { LONG } from '../helpers/long.ts'
import { type ClientsLab, type Driver, openPrivate } from './clients-lab.ts'
import { tool } from './reply.ts'
import type { Terminal } from './terminal.ts'
import { STOP_BODY, saidIn } from './workspace-lab.ts'

const STOP = new RegExp(`${STOP_BODY}|^\\$workspace-stop-conversation`)
const DAYS = LONG
  ? clientList().map(({ id }) => id as ClientId)
  : (['claude', 'opencode', 'gemini', 'codex'] as const)

describe('a day in a repository with a remote, where conversations are private', () => {
  // promise: `git worktree remove --force` takes no word with it.
  it.each(DAYS)(
    'in two worktrees with %s: git sees nothing, and every word and document is there',
    async (id) => {
      await using lab = await openPrivate(id)
      const day = new Day(lab, lab[id])
      const { client } = day
      const other = join(lab.folder, 'other')

      let terminal = await client.open()
      lab.model.when(/Topic: Pears|^\$workspace-brainstorm Pears/, 'Let us begin.')
      await client.say(terminal, `${client.typed('workspace.brainstorm')} Pears`, 'Let us begin.')
      await day.writes(terminal, 'one')
      await day.stops(terminal)
      await client.leave(terminal)
      day.git('worktree', 'add', '--quiet', '-b', 'other', '../other')

      expect((await lab.cortext(['list'], { cwd: other })).stderr).toContain(`${other} had no workspace`)
      await client.trust?.(other)
      terminal = await day.resumes(other)
      await day.writes(terminal, 'two')
      day.git('worktree', 'remove', '--force', '../other')
      await day.says(terminal, 'three')
      terminal.kill('SIGKILL')
      await terminal.waitForExit()
      expect((await lab.cortext(['list'])).stderr).not.toContain('Missing')
      expect(day.document()).toMatch(/line one\nline two\n$/)

      terminal = await day.resumes(lab.project)
      expect(day.asked).toBe(1)
      await day.says(terminal, 'four')
      day.changes('on-main.txt')
      day.git('checkout', '--quiet', '-b', 'topic', 'HEAD~1')
      day.changes('on-topic.txt')
      day.git('rebase', '--quiet', 'main')
      await day.writes(terminal, 'five')
      day.edits('note.txt')
      day.git('stash', '--quiet')
      day.git('stash', 'pop', '--quiet')
      day.git('checkout', '--quiet', '--', 'note.txt')
      const before = day.document()
      day.git('clean', '-fdxq')
      expect((await lab.cortext(['list'])).stderr).toContain('Brought back: 1 conversation.')
      expect(day.document()).toBe(before)
      await day.writes(terminal, 'six')
      await day.stops(terminal)
      await client.leave(terminal)

      expect(day.document()).toMatch(/line one\nline two\nline five\nline six\n$/)
      day.git('worktree', 'add', '--quiet', '-b', 'third', '../third')
      const third = { cwd: join(lab.folder, 'third') }
      const said = day.said()
      for (const run of [{}, third]) {
        const shown = JSON.parse((await lab.cortext(['show', '1', '--messages', '--json'], run)).stdout)
        expect(saidIn(shown.messages).filter((line) => !/^\w+: $/.test(line))).toEqual(said)
        const printed = (await lab.cortext(['resume', '1', '--print'], run)).stdout
        expect(said.map((line) => printed.split(line.replace(/^\w+: /, '')).length)).toEqual(
          said.map(() => 2),
        )
      }
      day.git('worktree', 'remove', '--force', '../third')
      expect(dotGit(lab.project)).toEqual(dotGit(day.twin))
    },
  )
})

it('Claude Code in a worktree of its own, where nobody has run cortext: the document is there, and stays when the worktree goes', async () => {
  await using lab = await openPrivate('claude')
  lab.git('worktree', 'add', '--quiet', '-b', 'x', '.claude/worktrees/x')
  const cwd = join(lab.project, '.claude/worktrees/x')
  lab.model.when('Topic: Kiwis', 'Let us begin.')
  await lab.run(['claude', '-p', '/workspace.brainstorm Kiwis'], { cwd })
  const [path = ''] = readdirSync(cwd, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^conversations\/[^/]+\/[^/]+$/.test(name),
  )
  const write = tool('Write', { file_path: join(cwd, path, 'notes.md'), content: 'our notes\n' })
  lab.model.when('write notes', write, 'I wrote them.')
  await lab.run(['claude', '-p', '--continue', 'write notes'], { cwd })
  expect(existsSync(join(cwd, path, 'notes.md'))).toBe(true)
  lab.git('worktree', 'remove', '--force', cwd)
  await lab.cortext(['list'])
  expect(readFileSync(join(lab.project, path, 'notes.md'), 'utf8')).toBe('our notes\n')
  expect(saidIn(lab.messages()).filter((line) => !/^\w+: $/.test(line))).toEqual([
    'user: /workspace.brainstorm Kiwis',
    'assistant: Let us begin.',
    'user: write notes',
    'assistant: I wrote them.',
  ])
  expect(lab.status()).toEqual([])
})

/** A person who talks, and works in git beside it: each step of git is done in the twin too. */
class Day {
  readonly twin: string
  readonly path = () => this.lab.conversations()[0]!
  /** How often a resume has asked whether to go on in another worktree than the one that is gone. */
  asked = 0
  #steps = 0
  #words: string[] = []

  constructor(
    readonly lab: ClientsLab,
    readonly client: Driver,
  ) {
    this.twin = join(lab.folder, 'twin', 'project')
  }

  /** Runs git in both repositories. What it sees then is the same in both. */
  git(...args: string[]): void {
    this.#steps += 1
    const date = `2026-11-28T12:00:${String(this.#steps).padStart(2, '0')}Z`
    const env = { ...this.lab.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }
    const run = (cwd: string, command: string[]) =>
      execFileSync('git', command, { cwd, env, encoding: 'utf8' })
    const both = [this.lab.project, this.twin]
    for (const cwd of both) run(cwd, args)
    const [ours, theirs] = both.map((cwd) => run(cwd, ['status', '--porcelain', '--untracked-files=all']))
    expect({ after: args, status: ours }).toEqual({ after: args, status: theirs })
  }

  /** Commits a new file. */
  changes(name: string): void {
    this.edits(name)
    this.git('add', name)
    this.git('commit', '--quiet', '--message', name)
  }

  edits(name: string): void {
    for (const folder of [this.lab.project, this.twin]) appendFileSync(join(folder, name), name)
  }

  document(): string {
    return readFileSync(join(this.lab.project, this.path(), 'brainstorm.md'), 'utf8')
  }

  /** The documents that this machine keeps copies of. */
  copies(): string {
    const local = join(this.lab.project, '.git/cortext')
    return readdirSync(local, { recursive: true, encoding: 'utf8' })
      .filter((name) => /copies\/.*\.md$/.test(name))
      .map((name) => readFileSync(join(local, name), 'utf8'))
      .join()
  }

  async says(terminal: Terminal, word: string): Promise<void> {
    this.lab.model.when(`say ${word}`, `I heard ${word}.`)
    await this.client.say(terminal, `say ${word}`, `I heard ${word}.`)
    this.#words.push(`say ${word}`, `I heard ${word}.`)
  }

  /** The agent writes a line into the document. Where the client asks, the person allows it. */
  async writes(terminal: Terminal, word: string): Promise<void> {
    const answer = `I wrote ${word}.`
    const call = this.client.shell(`echo "line ${word}" >> ${this.path()}/brainstorm.md`)
    this.lab.model.when(`write ${word}`, call, answer)
    await terminal.submit(`write ${word}`, { after: 500 })
    // A resumed session shows earlier answers too, and a key that is pressed too early sends the prompt twice.
    await terminal.waitFor(new RegExp(`${answer}|Allow once|1\\. Yes|Allow execution`))
    if (!terminal.screen().includes(answer)) await terminal.pressUntil('Enter', answer)
    this.#words.push(`write ${word}`, answer)
    // The turn ends a moment after its answer.
    await expect.poll(() => this.copies()).toContain(`line ${word}\n`)
  }

  async stops(terminal: Terminal): Promise<void> {
    this.lab.model.when(STOP, this.client.stop('So far.'), 'Saved.')
    await this.client.say(terminal, `${this.client.typed('workspace.stop-conversation')} `, 'Saved.')
  }

  async resumes(cwd: string): Promise<Terminal> {
    const args = ['resume', '1', '--in', this.client.id]
    const dryRun = (await this.lab.cortext([...args, '--dry-run', '--json'], { cwd })).stdout
    const { mode, notices } = JSON.parse(dryRun)
    const terminal = this.lab.terminal(['cortext', ...args], { cwd, cols: 140, rows: 42 })
    if (notices.join().includes('git worktree add')) {
      await terminal.waitFor(/It was on other in .* which is gone\. Go on here\?/s)
      terminal.type('y')
      terminal.press('Enter')
      this.asked += 1
    }
    await (mode === 'native' ? this.client.readyAgain(terminal) : this.client.ready(terminal))
    return terminal
  }

  /** Role and text of all that was said. */
  said(): string[] {
    const command = `user: ${this.client.typed('workspace.brainstorm')} Pears`
    const turns = this.#words.map((words, n) => `${n % 2 === 0 ? 'user' : 'assistant'}: ${words}`)
    return [command, 'assistant: Let us begin.', ...turns]
  }
}

/** What a repository has: each file of git's folder, without what is ours by promise, and the client's own. */
function dotGit(project: string): Record<string, string> {
  const top = join(project, '.git')
  const names = readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(top.length + 1))
    .filter((name) => !/^cortext\/|^info\/exclude$|^opencode$/.test(name))
  return Object.fromEntries(
    names.sort().map((name) => {
      const bytes = readFileSync(join(top, name))
      return [
        name,
        (name === 'index' ? withoutTimes(bytes) : bytes).toString('latin1').replaceAll(project, ''),
      ]
    }),
  )
}

/** An index (gitformat-index(5), version 2) without what git notes of the files on this disk, and its checksum. */
function withoutTimes(index: Buffer): Buffer {
  const bytes = Buffer.from(index.subarray(0, -20))
  let at = 12
  for (let count = bytes.readUInt32BE(8); count > 0; count--) {
    bytes.fill(0, at, at + 24).fill(0, at + 28, at + 40)
    const end = bytes.indexOf(0, at + 62)
    at += Math.ceil((end - at + 1) / 8) * 8
  }
  return bytes
}
