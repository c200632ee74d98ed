import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Given, Talk } from './talk.ts'
import type { World } from './world.ts'

export class BrokenLaw extends Error {}

export function require(holds: boolean, what: string): asserts holds {
  if (!holds) throw new BrokenLaw(what)
}

/**
 * Checks that hold whatever fails: the next verb finds all turns of a conversation, and messages.jsonl has them after a
 * save that succeeded; each once, in order, unchanged, and nothing else. Each check throws a BrokenLaw.
 */
export class Law {
  readonly #world: World
  readonly #talk: Talk

  constructor(world: World, talk: Talk) {
    this.#world = world
    this.#talk = talk
  }

  /** The next verb finds all turns of a conversation and nothing else. */
  async checkShown(conversation: string, tree = this.treeOf(conversation)): Promise<void> {
    await this.#world.settled()
    const { messages } = await this.#world.json<{ messages: Given[] }>(
      ['show', idOf(conversation), '--messages', '--json'],
      tree,
    )
    this.#judge(conversation, messages, this.#archived(conversation), 'show')
  }

  /**
   * messages.jsonl in `tree` and its archive hold all turns. With `session`, only the turns of that session are checked.
   */
  checkFile(conversation: string, tree: string, session?: string): void {
    const file = join(this.placeOf(conversation, tree), '.session', 'messages.jsonl')
    const lines = distinct(existsSync(file) ? linesOf(file) : [])
    this.#judge(conversation, lines, this.#archived(conversation), 'messages.jsonl', session)
  }

  /** The folder of a conversation. In a private workspace, each work tree may have one. */
  placeOf(conversation: string, tree: string): string {
    return join(this.#world.isPrivate ? tree : this.#world.root, conversation)
  }

  /** The work tree that contains a conversation. */
  treeOf(conversation: string): string {
    const { root, linked, isPrivate } = this.#world
    if (isPrivate) return root
    return join(root, conversation).startsWith(`${linked}/`) ? linked : root
  }

  /** Each commit of cortext holds files of one conversation and nothing else. Git sees nothing of a private workspace. */
  checkCommits(): void {
    if (!this.#world.hasGit()) return
    const log = this.#world.lab.git('log', '--all', '--no-merges', '--format=%x00%s', '--name-only')
    for (const commit of log.split('\0')) {
      const [subject = '', ...names] = commit.split('\n').filter((line) => line !== '')
      if (!/^\[(conversation|session)\]/.test(subject)) continue
      // The snapshot of a command belongs to the conversation that began with it.
      const own = names.filter((name) => !name.startsWith('.workspace/prompts/'))
      const depth = (name: string) => (name.startsWith('kept/') ? 2 : 3)
      const folders = new Set(own.map((name) => name.split('/').slice(0, depth(name)).join('/')))
      require([...folders].every((folder) => /^(conversations|kept)\//.test(folder)) &&
        folders.size <= 1, `the commit "${subject}" holds ${names.join(' ')}`)
    }
    const own = this.#world.isPrivate
      ? /^.. own-/
      : /^.. "?(?:conversations\/|kept\/|own-|\.workspace\/prompts\/)/
    const strange = this.status()
      .split('\n')
      .filter((line) => line !== '' && !own.test(line))
    require(strange.length === 0, `in the work tree: ${strange.join(', ')}`)
  }

  /**
   * Takes a step that saves nothing. From start to stop git sees no new file of cortext except documents (README, "your
   * working tree stays clean").
   */
  async unseen(step: string, does: () => Promise<void>): Promise<void> {
    await this.#world.settled()
    const before = this.#oursSeen()
    await does()
    await this.#world.settled()
    const now = this.#oursSeen().filter((line) => !before.includes(line))
    require(now.length === 0, `${step} has changed the work tree: ${now.join(', ')}`)
  }

  #oursSeen(): string[] {
    return this.status()
      .split('\n')
      .filter(
        (line) => line !== '' && !/^.. "?(?:conversations|kept)\/(?:[^./][^/]*\/)+[a-z]+\.md/.test(line),
      )
  }

  /** The status of all work trees. */
  status(): string {
    const { trees, hasGit, lab } = this.#world
    if (!hasGit()) return ''
    return trees()
      .map((tree) => lab.git('-C', tree, 'status', '--porcelain', '--untracked-files=all'))
      .join('')
  }

  /** A failure is reported under its own name. */
  checkTold({ code, stderr }: { code: number | null; stderr: string }): void {
    require(code !== 70, `told as a bug of the program: ${stderr}`)
  }

  #judge(conversation: string, given: Given[], aside: Given[], where: string, session?: string): void {
    const inOrder = where === 'show'
    const faults = this.#talk.faultsOf(conversation, given, { aside, inOrder })
    const own =
      session === undefined ? faults : faults.map((fault) => this.#only(fault, session)).filter(Boolean)
    require(own.length === 0, `${where} of ${conversation}: ${own.join('; ')}`)
  }

  #only(fault: string, session: string): string {
    if (!fault.startsWith('missing: ')) return fault
    const numbers = new Set(this.#talk.of(session).map(({ number }) => number))
    const own = fault
      .slice(9)
      .split(' ')
      .filter((part) => numbers.has(Number.parseInt(part, 10)))
    return own.length === 0 ? '' : `missing: ${own.join(' ')}`
  }

  #archived(conversation: string): Given[] {
    const { root, isPrivate, trees } = this.#world
    return (isPrivate ? trees() : [root]).flatMap((tree) => {
      const folder = join(tree, conversation, '.session', 'archive')
      if (!existsSync(folder)) return []
      const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
      return names.flatMap((name) => linesOf(join(folder, name)))
    })
  }
}

export function idOf(conversation: string): string {
  return conversation.split('/').slice(-2).join('/')
}

/** Skips lines that are not messages. */
function linesOf(file: string): Given[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return line === '' ? [] : [JSON.parse(line) as Given]
      } catch {
        return []
      }
    })
}

/** A later line with the same id replaces the earlier one. */
function distinct(lines: readonly Given[]): Given[] {
  return [...new Map(lines.map((line) => [line.id, line])).values()]
}
