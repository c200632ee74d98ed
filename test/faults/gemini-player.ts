import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Run } from '../helpers/workspace-lab.ts'
import { type AgentCall, nextTime, Player, type Said } from './player.ts'
import type { Fault } from './world.ts'

/** Gemini CLI 0.61.0. */
export class GeminiPlayer extends Player {
  readonly client = 'gemini'
  readonly shellEnv = { GEMINI_CLI: '1' }

  async begin(): Promise<this> {
    const folder = join(this.world.lab.home, '.gemini', 'tmp', basename(this.cwd))
    mkdirSync(join(folder, 'chats'), { recursive: true })
    writeFileSync(join(folder, '.project_root'), this.cwd)
    this.transcript = join(folder, 'chats', `session-2026-11-21T20-29-${this.id.slice(0, 8)}.jsonl`)
    this.write(this.headRecords())
    await this.openHook('startup')
    return this
  }

  async start(title: string, answer: string, fault?: Fault): Promise<void> {
    await this.#typed('workspace.brainstorm', title, 'the instructions', { answer, fault })
  }

  async call({ typed, args, answer, shell, fault, promptFault }: AgentCall): Promise<Run> {
    if (typed !== 'workspace.resume') {
      let ran: Run | undefined
      await this.#typed(typed, args, 'the instructions', {
        answer,
        fault: promptFault,
        during: async () => {
          ran = await this.shell(shell, fault)
          this.write(this.#callRecords(shell, ran.stdout))
        },
      })
      return ran!
    }
    // The client runs the shell calls in a command itself, before the turn begins.
    const ran = await this.shell(`cortext agent resume --whole -- ${args}`, fault)
    await this.#typed(typed, args, ran.stdout, { answer, fault: promptFault })
    return ran
  }

  async clear(fault?: Fault): Promise<void> {
    await this.#run('SessionEnd', { reason: 'clear' }, fault)
    this.id = this.chance.uuid()
    const before = this.openHook
    this.openHook = () => before.call(this, 'clear')
    await this.begin()
    this.openHook = before
  }

  protected promptHook({ prompt }: Said, fault?: Fault) {
    return this.#run('BeforeAgent', { prompt }, fault)
  }

  protected endHook({ prompt, answer }: Said, fault?: Fault) {
    return this.#run('AfterAgent', { prompt, prompt_response: answer, stop_hook_active: false }, fault)
  }

  /** A terminal client runs this hook three times. */
  protected async leaveHook(fault?: Fault): Promise<void> {
    await this.#run('SessionEnd', { reason: 'exit' }, fault)
    for (let again = 0; again < 2; again++) await this.#run('SessionEnd', { reason: 'exit' })
  }

  protected openHook(source: string) {
    return this.#run('SessionStart', { source })
  }

  protected headRecords(): object[] {
    const time = nextTime().toISOString()
    return [
      { sessionId: this.id, projectHash: '1'.repeat(64), startTime: time, lastUpdated: time, kind: 'main' },
      {
        $set: {
          messages: [this.#record('user', { content: [{ text: '<session_context>\nThis is it.' }] })],
          lastUpdated: time,
        },
      },
    ]
  }

  protected promptRecords(prompt: string): object[] {
    return [this.#record('user', { content: [{ text: prompt }] }), this.#updated()]
  }

  protected answerRecords(answer: string): object[] {
    return [this.#answer(answer), this.#updated()]
  }

  async #typed(
    command: string,
    args: string,
    body: string,
    { answer, during, fault }: { answer: string; during?: () => Promise<void>; fault?: Fault | undefined },
  ): Promise<void> {
    const prompt = `[/${command}] ${args}\n\n${body}`
    await this.#run('BeforeAgent', { prompt }, fault)
    const displayContent = [{ text: `/${command} ${args}`.trim() }]
    this.write([this.#record('user', { content: [{ text: prompt }], displayContent }), this.#updated()])
    await during?.()
    this.write(this.answerRecords(answer))
    await this.#run('AfterAgent', { prompt, prompt_response: answer, stop_hook_active: false })
  }

  /** The client writes a call after the call has ended. */
  #callRecords(command: string, output: string): object[] {
    const called = this.#answer('')
    const id = `run_shell_command_${this.chance.uuid()}`
    const name = 'run_shell_command'
    const result = [{ functionResponse: { id, name, response: { output } } }]
    const call = {
      id,
      name,
      args: { command },
      result,
      status: 'success',
      timestamp: nextTime().toISOString(),
    }
    return [
      called,
      this.#updated(),
      { ...called, toolCalls: [call] },
      this.#record('user', { content: result }),
      this.#updated(),
    ]
  }

  #answer(content: string) {
    return this.#record('gemini', { content, thoughts: [], model: 'gemini-x' })
  }

  #record(type: string, fields: object) {
    return { id: this.chance.uuid(), timestamp: nextTime().toISOString(), type, ...fields }
  }

  #updated() {
    return { $set: { lastUpdated: nextTime().toISOString() } }
  }

  #run(event: string, fields: object, fault?: Fault) {
    const payload = {
      session_id: this.id,
      transcript_path: this.transcript,
      cwd: this.cwd,
      hook_event_name: event,
      timestamp: new Date().toISOString(),
      ...fields,
    }
    const env = { GEMINI_SESSION_ID: this.id, GEMINI_PROJECT_DIR: this.cwd, GEMINI_CWD: this.cwd }
    return this.hook(
      this.world.hooks.gemini![event]!,
      payload,
      { ...env, CLAUDE_PROJECT_DIR: this.cwd },
      fault,
    )
  }
}
