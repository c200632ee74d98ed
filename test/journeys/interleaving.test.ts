import { rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { gitStep } from '../helpers/git-steps.ts'
import { runs, TIME_FOR_RUNS } from '../helpers/long.ts'
import { type Lab, openLab, shown, talk } from '../helpers/workspace-lab.ts'

/**
 * Whatever git does between two turns, every turn is there at the end, once and in order. Each run plays a person
 * who talks, starts and stops conversations, and works in git meanwhile, all in an order of fast-check's choosing.
 */
const STEPS = [
  'turn',
  'start',
  'stop',
  'save',
  'stash',
  'unstash',
  'branch',
  'back',
  'reset',
  'rebase',
  'clean',
  'commit',
  'worktree',
  'detach',
  'conflict',
  'forget-caches',
  'reopen',
  'clear',
] as const
type Step = (typeof STEPS)[number]

const steps = fc
  .array(fc.constantFrom<Step>('turn', 'turn', 'start', ...STEPS), { minLength: 8, maxLength: 16 })
  .map((chosen): Step[] => ['start', 'turn', ...chosen, 'turn'])

for (const visibility of ['shared', 'private'] as const)
  test(
    `S4-DP1 E-9 no turn is lost between two turns, whatever git does: ${visibility}`,
    async () => {
      await fc.assert(
        fc.asyncProperty(steps, fc.boolean(), (chosen, titled) => play(visibility, chosen, titled)),
        { ...runs(4, 40), endOnFailure: true },
      )
    },
    TIME_FOR_RUNS,
  )

// promise: It is an unredacted copy
test('S4-DP1 git stash -u, reset --hard and clean -fd lose nothing in a workspace that was never committed', () =>
  play('shared', ['start', 'turn', 'stash', 'turn', 'unstash', 'clean', 'turn'], true, 'uncommitted'))

test('E-11 the same title on two branches stays two conversations', () =>
  play('shared', ['branch', 'start', 'turn', 'stop', 'back', 'start', 'turn', 'stop'], false))

async function play(
  visibility: 'shared' | 'private',
  chosen: Step[],
  titled: boolean,
  workspace = 'committed',
) {
  const lab = await openLab({ init: visibility })
  try {
    if (visibility === 'shared' && workspace === 'committed') {
      lab.git('add', '--all')
      lab.git('commit', '--quiet', '--message=workspace')
    }
    const person = new Person(lab, titled)
    for (const step of chosen) await person.do(step)
    // Every turn was seen by a hook, so the client's own transcripts are not needed any more; unless the workspace
    // itself was away, and its hooks did nothing.
    if (workspace === 'committed') rmSync(join(lab.home, '.claude'), { recursive: true })
    else await lab.json(['init', `--${visibility}`, '--json'])
    await person.checkAll()
  } finally {
    lab.remove()
  }
}

class Person {
  readonly #lab: Lab
  readonly #titled: boolean
  readonly #said = new Map<string, string[]>()
  #claude: ClaudeSession
  #open: string | undefined
  #count = 0

  constructor(lab: Lab, titled: boolean) {
    this.#lab = lab
    this.#titled = titled
    this.#claude = new ClaudeSession(lab)
  }

  async do(step: Step): Promise<void> {
    const number = ++this.#count
    const lab = this.#lab
    switch (step) {
      case 'turn':
        await this.#claude.turn(`said ${number}`)
        if (this.#open !== undefined) this.#heard(`said ${number}`)
        return
      case 'start':
        // Every third begins in a client session of its own.
        if (number % 3 === 0) await this.#otherSession()
        return this.#start(this.#titled ? `Topic ${number}` : 'Topic')
      case 'stop':
        return this.#stop()
      case 'save':
        if (this.#open !== undefined) await lab.json(['save', '--json'], { env: this.#claude.env })
        return
      case 'reopen':
        await this.#claude.hook('SessionEnd', { reason: 'prompt_input_exit' })
        return void (await this.#claude.hook('SessionStart', { source: 'resume' }))
      case 'clear':
        await this.#claude.hook('SessionEnd', { reason: 'clear' })
        this.#claude = new ClaudeSession(lab)
        return void (await this.#claude.hook('SessionStart', { source: 'clear' }))
      default:
        this.#git(step, number)
    }
  }

  /** Every conversation holds what was said in it, whichever branch is checked out and whatever lies in the stash. */
  async checkAll(): Promise<void> {
    for (const [path, said] of this.#said)
      expect(talk(await shown(this.#lab, path.split('/').slice(-2).join('/')))).toEqual(said)
    const listed = await this.#lab.json<{ conversations: { path: string }[] }>(['list', '--all', '--json'])
    expect(listed.conversations.map(({ path }) => path).sort()).toEqual([...this.#said.keys()].sort())
  }

  async #start(title: string): Promise<void> {
    await this.#claude.command('workspace.brainstorm', title)
    // The agent asks again which conversation is open; that never makes a second one.
    const { path } = await this.#lab.json<{ path: string }>(['start', 'brainstorm', '--json'], {
      env: this.#claude.env,
    })
    expect([...this.#said.keys()], `${path} is a conversation of its own`).not.toContain(path)
    this.#open = path
    this.#said.set(path, [])
    this.#heard(`/workspace.brainstorm ${title}`)
  }

  async #stop(): Promise<void> {
    if (this.#open === undefined) return
    const ran = await this.#claude.command('workspace.stop-conversation', '', () =>
      this.#lab.cortext(['stop', '--summary-stdin', '--json'], { input: 'so far', env: this.#claude.env }),
    )
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    this.#open = undefined
  }

  async #otherSession(): Promise<void> {
    await this.#claude.hook('SessionEnd', { reason: 'prompt_input_exit' })
    this.#claude = new ClaudeSession(this.#lab)
    this.#open = undefined
  }

  #heard(prompt: string): void {
    this.#said.get(this.#open!)!.push(`user: ${prompt}`, `assistant: answer to ${prompt}`)
  }

  #git(step: Step, number: number): void {
    if (gitStep(this.#lab, step, number)) return
    // A rebase that stopped half-way stays as it is until somebody aborts the next one.
    this.#lab.tryGit('rebase', '--quiet', 'trunk')
  }
}
