import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Run } from '../helpers/workspace-lab.ts'
import type { Chance } from './chance.ts'
import type { Call, ClientProcess } from './client-process.ts'
import { type Fault, variablesOf, type World } from './world.ts'

/** One turn. */
export interface Said {
  prompt: string
  answer: string
}

/** Faults of the hooks of a turn. */
export interface TurnFaults {
  prompt?: Fault | undefined
  end?: Fault | undefined
  /** No hook runs at all. */
  unseen?: boolean
  /** The client is killed before its last hook. */
  killedBefore?: boolean
  /** The answer is written only after the last hook. */
  late?: boolean
  /** What happens between the answer and the last hook. */
  midway?: (() => unknown) | undefined
}

/** A shell call of the agent, in a turn that began with a command of cortext. */
export interface AgentCall {
  /** `workspace.resume` or `workspace.stop-conversation`. */
  typed: string
  args: string
  answer: string
  shell: string
  /** Fault of the prompt's hook. */
  promptFault?: Fault | undefined
  fault?: Fault | undefined
}

let clock = 0

/** Time of the next record, later than all earlier ones of all sessions. */
export function nextTime(): Date {
  clock = Math.max(clock + 1, Date.now())
  return new Date(clock)
}

/** Plays a client in a folder: writes its transcript and runs its hooks, in the order of the real client. */
export abstract class Player {
  abstract readonly client: string
  id: string
  transcript = ''
  protected readonly world: World
  protected readonly chance: Chance
  readonly cwd: string
  protected process: ClientProcess

  constructor(world: World, chance: Chance, cwd: string) {
    this.world = world
    this.chance = chance
    this.cwd = cwd
    this.id = chance.uuid()
    this.process = world.client()
  }

  /** A turn without a command of cortext. */
  async turn(said: Said, faults: TurnFaults = {}): Promise<void> {
    if (faults.unseen !== true) await this.promptHook(said, faults.prompt)
    this.write(this.promptRecords(said.prompt))
    if (faults.late !== true) this.write(this.answerRecords(said.answer))
    faults.midway?.()
    if (faults.killedBefore === true) {
      if (faults.late === true) this.write(this.answerRecords(said.answer))
      return this.killed()
    }
    if (faults.unseen !== true) await this.endHook(said, faults.end)
    if (faults.late === true) this.write(this.answerRecords(said.answer))
  }

  /** `/workspace.brainstorm <title>`: its hook opens the conversation. */
  abstract start(title: string, answer: string, fault?: Fault): Promise<void>
  /** Another command of cortext, with the call that the agent makes. */
  abstract call(call: AgentCall): Promise<Run>

  /** Variables of the agent's shell. */
  abstract readonly shellEnv: Record<string, string>

  shell(command: string, fault?: Fault) {
    return this.#run({
      command,
      cwd: this.cwd,
      env: { ...this.shellEnv, ...variablesOf(fault) },
    })
  }

  /** The person leaves the client. */
  async leave(fault?: Fault): Promise<void> {
    await this.leaveHook(fault)
    await this.process.end('closed')
  }

  async killed(): Promise<void> {
    await this.process.end('killed')
  }

  /** Continues the session in a new process. */
  async reopen(): Promise<void> {
    if (this.process.runs) throw new Error('the client still runs')
    this.process = this.world.client()
    await this.openHook('resume')
  }

  /** Whether turns are written to the transcript. */
  get writes(): boolean {
    return true
  }

  get open(): boolean {
    return this.process.runs
  }

  /** `/clear`: continues under another id. */
  abstract clear(fault?: Fault): Promise<void>

  /** Empties the transcript, as some clients do before they write it again. */
  rewrite(): void {
    if (!existsSync(this.transcript)) return
    writeFileSync(this.transcript, '')
    this.write(this.headRecords())
  }

  /** Removes the last third of the transcript's lines. */
  cut(): void {
    if (!existsSync(this.transcript)) return
    const lines = readFileSync(this.transcript, 'utf8').split('\n')
    const kept = lines.slice(0, Math.max(1, Math.floor(lines.length * 0.66)))
    writeFileSync(this.transcript, `${kept.join('\n')}\n`)
  }

  protected abstract promptHook(said: Said, fault?: Fault): Promise<unknown>
  protected abstract endHook(said: Said, fault?: Fault): Promise<unknown>
  protected abstract leaveHook(fault?: Fault): Promise<unknown>
  protected abstract openHook(source: string): Promise<unknown>
  protected abstract headRecords(): object[]
  protected abstract promptRecords(prompt: string): object[]
  protected abstract answerRecords(answer: string): object[]

  protected write(records: readonly object[]): void {
    mkdirSync(dirname(this.transcript), { recursive: true })
    appendFileSync(this.transcript, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  }

  protected hook(command: string, payload: object, env: Record<string, string>, fault?: Fault) {
    return this.#run({
      command,
      cwd: this.cwd,
      env: { ...env, ...variablesOf(fault) },
      input: JSON.stringify(payload),
    })
  }

  /** Nothing can be started in a work tree that was removed. */
  async #run(call: Call): Promise<Run> {
    return existsSync(this.cwd) ? this.process.run(call) : { code: null, stdout: '', stderr: '' }
  }
}
