import { appendFileSync, existsSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Chance } from '../../../faults/chance.ts'
import { ClaudeSession } from '../../../helpers/claude-session.ts'
import { ended, type Lab, type Run, type RunOptions } from '../../../helpers/workspace-lab.ts'

const helper = (name: string) => fileURLToPath(new URL(`../../../helpers/${name}`, import.meta.url))
const [DYING, DYING_GIT] = [helper('dying.cjs'), helper('dying-git.cjs')]

/** A conversation of a life, with the words that nothing else says. */
export interface Told {
  /** A part of its folder's name, which stays when the folder is moved. */
  name: string
  words: string[]
  /** The client that records it now. */
  claude?: ClaudeSession
  key?: string
}

/** Where and how a program is killed. */
export type Kill = { disk: number } | { git: number; how: 'before' | 'during' | 'after'; ms: number }

/**
 * A random life of a private workspace: conversations in a client, of an agent loop and imported; saves, stops, edits,
 * forks, moved folders, prunes, pages, worktrees and killed saves.
 */
export class Life {
  readonly told: Told[] = []
  readonly steps: string[] = []
  readonly worktrees: string[] = []
  readonly #lab: Lab
  readonly #chance: Chance

  constructor(lab: Lab, chance: Chance) {
    this.#lab = lab
    this.#chance = chance
  }

  async play(): Promise<void> {
    const number = 2 + this.#chance.number(3)
    for (let n = 0; n < number; n++) await this.#begin()
    const steps = 8 + this.#chance.number(10)
    for (let n = 0; n < steps; n++) await this.#step()
    // What a conversation consists of in the end is in the history.
    for (const one of this.told) if (this.#chance.percent(80)) await this.#run(['save', this.pathOf(one)])
  }

  /** Roots of all work trees. */
  get roots(): string[] {
    return [this.#lab.root, ...this.worktrees]
  }

  /** The path of a conversation's folder, in the first work tree. */
  pathOf({ name }: Told): string {
    const { stdout } = this.#listed
    const all = JSON.parse(stdout) as { conversations: { path: string }[] }
    return all.conversations.find(({ path }) => path.includes(name))?.path ?? name
  }

  isListed(one: Told): boolean {
    return this.pathOf(one) !== one.name
  }

  async look(): Promise<void> {
    this.#listed = await this.#lab.cortext(['list', '--all', '--json'])
  }

  #listed: Run = { code: 0, stdout: '{"conversations":[]}', stderr: '' }

  word(): string {
    return Array.from({ length: 10 }, () => 'bcdfghjkmnpqrstvwxz'[this.#chance.number(19)]).join('')
  }

  #said(one: Told): string {
    const word = this.word()
    one.words.push(word)
    return word
  }

  async #begin(): Promise<void> {
    const name = this.word()
    const one: Told = { name, words: [name] }
    const kind = this.#chance.of(['client', 'client', 'client', 'same session', 'agent loop', 'import'])
    this.steps.push(`begin ${name} ${kind}`)
    const last = this.told.findLast(({ claude }) => claude !== undefined)
    this.told.push(one)
    if (kind === 'agent loop') {
      one.key = `key-${name}`
      await this.#append(one)
    } else if (kind === 'import') {
      const session = new ClaudeSession(this.#lab)
      session.say(`${name} ${this.#said(one)}`)
      await this.#run(['import', 'claude', session.id, '--title', name])
    } else {
      one.claude = kind === 'same session' && last !== undefined ? last.claude! : new ClaudeSession(this.#lab)
      if (one.claude === last?.claude) delete last!.claude
      await one.claude!.command('workspace.plan', name)
      await one.claude!.turn(this.#said(one), this.#said(one))
    }
    await this.look()
  }

  async #append(one: Told): Promise<void> {
    const turn = [
      { role: 'user', content: `${one.name} ${this.#said(one)}` },
      { role: 'assistant', content: this.#said(one) },
    ]
    const input = turn.map((line) => JSON.stringify(line)).join('\n')
    await this.#run(['append', '--key', one.key!], { input })
  }

  async #step(): Promise<void> {
    const chance = this.#chance
    const one = chance.of(this.told)
    const path = this.pathOf(one)
    const at = chance.of(this.roots)
    const step = chance.of(STEPS)
    this.steps.push(`${step} ${one.name} in ${at.replace(dirname(this.#lab.root), '')}`)
    switch (step) {
      case 'turn':
        if (one.claude !== undefined) await one.claude.turn(this.#said(one), this.#said(one))
        else if (one.key !== undefined) await this.#append(one)
        break
      case 'document': {
        if (!existsSync(join(at, path))) break
        appendFileSync(
          join(at, path, chance.of(['plan.md', 'notes.md', 'table.csv'])),
          `${this.#said(one)}\n`,
        )
        if (chance.percent(30)) await one.claude?.turn('written', 'yes')
        break
      }
      case 'save':
        await this.#run(['save', path], { cwd: at })
        break
      case 'stop':
        await this.#run(['stop', path, '--summary', this.#said(one)], { cwd: at })
        delete one.claude
        break
      case 'title':
        await this.#run(['edit', path, '--title', `${one.name} ${this.#said(one)}`, '--tag', this.word()], {
          cwd: at,
        })
        break
      case 'fork': {
        const name = this.word()
        const made = await this.#run(['fork', path, '--title', name])
        // Whatever was said so far is the fork's too.
        if (made.code !== 0) break
        one.words.length = 0
        this.told.push({ name, words: [name] })
        break
      }
      case 'move': {
        const to = join(
          dirname(path),
          `${path.split('/').at(-1)!.slice(0, 3)}-plan-${one.name}-${this.#said(one)}`,
        )
        if (!existsSync(join(at, path)) || existsSync(join(at, to))) break
        renameSync(join(at, path), join(at, to))
        await this.#run(['list'], { cwd: at })
        break
      }
      case 'prune':
        await this.#run(['prune', path, '--keep', '1', '--yes'], { cwd: at })
        break
      case 'restore':
        await this.#run(['prune', path, '--restore', '--yes'], { cwd: at })
        break
      case 'view':
        await this.#run(chance.percent(30) ? ['view', '--all'] : ['view', path, '--no-open'], { cwd: at })
        break
      case 'search':
        await this.#run(['search', one.words[0] ?? one.name], { cwd: at })
        break
      case 'resume inside':
        if (one.claude !== undefined || one.key !== undefined) break
        one.claude = new ClaudeSession(this.#lab)
        await one.claude.command('workspace.resume', path, () =>
          this.#run(['agent', 'resume', path], { env: one.claude!.env }),
        )
        break
      case 'worktree': {
        const root = `${this.#lab.root}-${this.worktrees.length}`
        this.#lab.git('worktree', 'add', '--quiet', '--detach', root)
        this.worktrees.push(root)
        await this.#run(['list'], { cwd: root })
        await this.#run(['save', path], { cwd: root })
        break
      }
      case 'clean':
        this.#lab.git('-C', at, 'clean', '-fdxq')
        await this.#run(['list'], { cwd: at })
        break
      case 'killed save':
        if (existsSync(join(at, path))) appendFileSync(join(at, path, 'notes.md'), `${this.#said(one)}\n`)
        await killed(this.#lab, ['save', path], anyKill(chance), at)
        break
      case 'killed change': {
        const args = chance.of([
          ['edit', path, '--summary', this.#said(one)],
          ['prune', path, '--keep', '1', '--yes'],
          ['stop', path],
          ['view', path, '--no-open'],
          ['search', one.name],
        ])
        await killed(this.#lab, args, anyKill(chance), at)
        break
      }
      case 'killed fork': {
        const name = this.word()
        await killed(this.#lab, ['fork', path, '--title', name], anyKill(chance), at)
        await this.look()
        if (!this.isListed({ name, words: [] })) break
        one.words.length = 0
        this.told.push({ name, words: [name] })
        break
      }
    }
    await this.look()
  }

  #run(args: string[], options: RunOptions = {}): Promise<Run> {
    return this.#lab.cortext([...args], options)
  }
}

const STEPS = [
  'turn',
  'turn',
  'document',
  'document',
  'save',
  'save',
  'stop',
  'title',
  'fork',
  'move',
  'prune',
  'restore',
  'view',
  'search',
  'resume inside',
  'worktree',
  'clean',
  'killed save',
  'killed save',
  'killed change',
  'killed fork',
] as const

/** A kill at one of the first steps of what a program does. */
export function anyKill(chance: Chance): Kill {
  if (chance.percent(50)) return { disk: 1 + chance.number(60) }
  return { git: 1 + chance.number(4), how: chance.of(['before', 'during', 'after']), ms: chance.number(6) }
}

/** Runs the program in a process of its own and kills it. Its exit code is null if it was killed. */
export function killed(lab: Lab, args: string[], kill: Kill, cwd = lab.root): Promise<Run> {
  const env: Record<string, string> =
    'disk' in kill
      ? { NODE_OPTIONS: `--require ${DYING}`, DIE_AT: String(kill.disk) }
      : {
          NODE_OPTIONS: `--require ${DYING_GIT}`,
          DIE_AT_GIT: String(kill.git),
          DIE_HOW: kill.how,
          DIE_AFTER_MS: String(kill.ms),
        }
  return ended(lab.begin(args, { env, cwd }))
}
