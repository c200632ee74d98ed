import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { NativeSession } from '../../src/clients/contract/sessions.ts'
import { editConversation } from '../../src/conversation/edit.ts'
import { publish } from '../../src/conversation/publish.ts'
import { readConversation } from '../../src/conversation/read.ts'
import { fork } from '../../src/journeys/editing/fork.ts'
import { prune, restore } from '../../src/journeys/editing/prune.ts'
import { importSession } from '../../src/journeys/importing/import.ts'
import { openWorkspace, type Workspace } from '../../src/workspace/open.ts'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { runs, TIME_FOR_RUNS } from '../helpers/long.ts'
import { type Lab, openLab } from '../helpers/workspace-lab.ts'

/**
 * Whatever is done to a conversation, and in whatever order: messages.jsonl and archive/ together hold every line
 * that was ever published, byte for byte, and when all prunes are taken back messages.jsonl is what it would have
 * been without any.
 */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('say' as const), session: fc.nat(1), tool: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('prune' as const), keep: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('before' as const), which: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('restore' as const, 'archive', 'unarchive', 'publish', 'import'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fork' as const), at: fc.nat() }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

test(
  'S4-DP1, X-4, Q-12, S0-D1h, law: any order of saying, pruning, restoring, forking, archiving and importing keeps every line',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const lab = await openLab()
        try {
          const run = new Reshaped(lab)
          await run.begin()
          for (const one of steps) await run.do(one)
          await run.end()
        } finally {
          lab.remove()
        }
      }),
      { ...runs(10, 100), endOnFailure: true },
    )
  },
  TIME_FOR_RUNS,
)

class Reshaped {
  readonly #lab: Lab
  readonly #ws: Workspace
  readonly #sessions: ClaudeSession[]
  #path = ''
  /** What messages.jsonl would be if nothing had ever been pruned. */
  #whole = ''
  #count = 0
  /** Path → what it held when it was made. */
  readonly #forks = new Map<string, string[]>()

  constructor(lab: Lab) {
    this.#lab = lab
    this.#ws = openWorkspace(lab.environment)
    this.#sessions = [new ClaudeSession(lab), new ClaudeSession(lab)]
  }

  async begin(): Promise<void> {
    for (const claude of this.#sessions) claude.say('begin')
    const type = { type: 'brainstorm', title: 'Reshaped' }
    this.#path = (await importSession(this.#ws, this.#native(0), type)).path
    await this.#appending(() => importSession(this.#ws, this.#native(1), { ...type, into: this.#path }))
  }

  async do(one: Step): Promise<void> {
    const [ws, path] = [this.#ws, this.#path]
    switch (one.do) {
      case 'say':
        this.#say(one.session, one.tool)
        await this.#import(one.session)
        break
      case 'prune':
        await prune(ws, path, { turns: one.keep })
        break
      case 'before':
        await this.#pruneBefore(one.which)
        break
      case 'restore':
        await this.#restore()
        break
      case 'fork':
        await this.#fork(one.at)
        break
      case 'archive':
      case 'unarchive':
        await editConversation(ws, path, { archived: one.do === 'archive' }, false)
        break
      case 'publish':
        await this.#appending(() => publish(ws, path))
        break
      case 'import':
        for (const session of [0, 1]) await this.#import(session)
    }
    this.#check()
  }

  async end(): Promise<void> {
    await this.#restore()
    this.#check()
    for (const [path, lines] of this.#forks) {
      await restore(this.#ws, path)
      expect(linesOf(this.#file(path)).sort()).toEqual(lines.sort())
    }
  }

  /** Both files together, without what stands for the moved lines. */
  #check(): void {
    expect(this.#allLines(this.#path).sort()).toEqual(split(this.#whole).sort())
    const { messages, pruned } = readConversation(this.#ws, this.#path)
    const ids = messages.flatMap(({ id, event }) => (event === 'pruned' ? [] : [id]))
    expect(new Set([...ids, ...pruned.keys()]).size).toBe(ids.length + pruned.size)
    const all = split(this.#whole).map((line) => (JSON.parse(line) as { id: string }).id)
    expect(new Set([...ids, ...pruned.keys()])).toEqual(new Set(all))
    const calls = messages.flatMap((message) => (message.tool_calls ?? []).map(({ id }) => id)).sort()
    const results = messages.flatMap(({ tool_call_id: id }) => id ?? []).sort()
    expect(results).toEqual(calls)
  }

  async #restore(): Promise<void> {
    await restore(this.#ws, this.#path)
    expect(this.#text()).toBe(this.#whole)
    expect(existsSync(join(this.#lab.root, this.#path, '.session/archive'))).toBe(false)
  }

  async #pruneBefore(which: number): Promise<void> {
    const said = readConversation(this.#ws, this.#path).messages.filter(({ event }) => event === undefined)
    await prune(this.#ws, this.#path, { before: said[which % said.length]!.id })
  }

  async #fork(at: number): Promise<void> {
    const said = readConversation(this.#ws, this.#path).messages.filter(({ event }) => event === undefined)
    const last = said[at % said.length]!.id
    const made = await fork(this.#ws, { path: this.#path, at: last })
    const lines = this.#allLines(made.path)
    expect(split(this.#whole)).toEqual(expect.arrayContaining(lines))
    expect(made.session.forked_from).toEqual({
      path: this.#path,
      message_id: expect.any(String),
      origins: [expect.any(String)],
    })
    this.#forks.set(made.path, lines)
  }

  #say(session: number, tool: boolean): void {
    const claude = this.#sessions[session]!
    const number = ++this.#count
    claude.user(`said ${number}`)
    if (tool) {
      const id = `toolu_${session}_${number}`
      claude.assistant(
        [{ type: 'tool_use', id, name: 'Read', input: { file_path: `/f${number}` } }],
        'tool_use',
      )
      claude.user([{ type: 'tool_result', tool_use_id: id, content: `content ${number}` }])
    }
    claude.assistant([{ type: 'text', text: `answer ${number}` }])
  }

  #import(session: number): Promise<void> {
    return this.#appending(() => importSession(this.#ws, this.#native(session), { type: 'brainstorm' }))
  }

  /** What is published is only ever put behind what is there. */
  async #appending(work: () => Promise<unknown>): Promise<void> {
    const before = this.#text()
    await work()
    const after = this.#text()
    if (this.#whole === '') this.#whole = before
    expect(after.startsWith(before)).toBe(true)
    this.#whole += after.slice(before.length)
  }

  #native(session: number): NativeSession {
    const { id, transcript } = this.#sessions[session]!
    const unknown = { title: '', cwd: this.#lab.root, lastActive: new Date(0), bytes: 0 }
    return { client: 'claude', nativeId: id, transcript, ...unknown }
  }

  #allLines(path: string): string[] {
    const folder = join(this.#lab.root, path, '.session/archive')
    const archives = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
    return [this.#file(path), ...archives]
      .flatMap(linesOf)
      .filter((line) => !line.includes('"event":"pruned"'))
  }

  #file(path: string): string {
    return join(this.#lab.root, path, '.session/messages.jsonl')
  }

  #text(): string {
    return readFileSync(this.#file(this.#path), 'latin1')
  }
}

function linesOf(file: string): string[] {
  return split(readFileSync(file, 'latin1'))
}

function split(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}
