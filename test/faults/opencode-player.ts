import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type AgentCall, nextTime, Player, type Said } from './player.ts'
import type { Fault } from './world.ts'

/**
 * OpenCode 1.18.33 with the plugin of a workspace. The plugin writes the transcript from the first command of cortext on,
 * and runs `cortext hook opencode` as a separate program.
 */
export class OpenCodePlayer extends Player {
  readonly client = 'opencode'
  /** All messages of the session in OpenCode. */
  #all: object[] = []
  #begun = false

  async begin(): Promise<this> {
    this.id = `ses_${this.chance.uuid().replaceAll('-', '').slice(0, 24)}`
    this.transcript = join(this.world.lab.home, '.local', 'share', 'cortext', 'opencode', `${this.id}.jsonl`)
    this.#all = this.headRecords()
    this.#begun = false
    return this
  }

  get shellEnv(): Record<string, string> {
    return { OPENCODE: '1', CORTEXT_OPENCODE_SESSION: this.id }
  }

  async start(title: string, answer: string, fault?: Fault): Promise<void> {
    await this.#command('workspace.brainstorm', title, fault)
    await this.#run('turn-start')
    this.write([...this.#typed('workspace.brainstorm', title), ...this.answerRecords(answer)])
    await this.#run('turn-end')
  }

  async call({ typed, args, answer, shell, fault, promptFault }: AgentCall) {
    await this.#command(typed, args, promptFault)
    await this.#run('turn-start')
    // The plugin writes once before the call runs, and again after the turn.
    const id = this.#id('msg')
    const tool = (state: object) => this.#message(id, 'assistant', [this.#tool(shell, state)], {})
    const begun = tool({ status: 'running', input: { command: shell } })
    this.write([...this.#typed(typed, args), begun])
    const ran = await this.shell(shell, fault)
    const done = { status: 'completed', input: { command: shell }, output: ran.stdout, metadata: {} }
    this.write([
      { ...begun, info: { ...begun.info, finish: 'tool-calls' }, parts: [this.#tool(shell, done)] },
      ...this.answerRecords(answer),
    ])
    await this.#run('turn-end')
    return ran
  }

  /** The client has no such hook. Its `/new` begins another session. */
  async clear(): Promise<void> {
    await this.begin()
  }

  protected async promptHook(_: Said, fault?: Fault): Promise<void> {
    if (this.#begun) await this.#run('turn-start', {}, fault)
  }

  protected async endHook(_: Said, fault?: Fault): Promise<void> {
    if (this.#begun) await this.#run('turn-end', {}, fault)
  }

  protected async leaveHook(fault?: Fault): Promise<void> {
    if (this.#begun) await this.#run('session-end', {}, fault)
  }

  /** A plugin that starts does not know of deleted transcripts. */
  protected async openHook(): Promise<void> {
    this.#begun = existsSync(this.transcript)
  }

  override get writes(): boolean {
    return this.#begun
  }

  protected headRecords(): object[] {
    const info = { id: this.id, title: 'A title', directory: this.cwd, version: '1.18.33' }
    return [{ type: 'session', id: this.id, info, mcp: [] }]
  }

  protected promptRecords(prompt: string): object[] {
    return [this.#message(this.#id('msg'), 'user', [{ type: 'text', text: prompt }], {})]
  }

  protected answerRecords(answer: string): object[] {
    const parts = [
      { type: 'step-start' },
      { type: 'text', text: answer },
      { type: 'step-finish', reason: 'stop' },
    ]
    return [this.#message(this.#id('msg'), 'assistant', parts, { finish: 'stop' })]
  }

  protected override write(records: readonly object[]): void {
    this.#all.push(...records)
    // The plugin writes a deleted transcript again.
    if (this.#begun) super.write(existsSync(this.transcript) ? records : this.#all)
  }

  async #command(command: string, args: string, fault?: Fault): Promise<void> {
    if (!existsSync(this.transcript)) super.write(this.#all)
    this.#begun = true
    await this.#run('command', { command, args }, fault)
  }

  #typed(command: string, args: string): object[] {
    const typed = { type: 'text', text: `/${command} ${args}`.trim(), ignored: true }
    const parts = [
      { ...typed, metadata: { cortext: { command, arguments: args } } },
      { type: 'text', text: `instructions of ${command}`, synthetic: true },
    ]
    return [this.#message(this.#id('msg'), 'user', parts, {})]
  }

  #tool(command: string, state: object): object {
    return { type: 'tool', callID: `call_${command.length}_${this.#calls}`, tool: 'bash', state }
  }

  #run(event: string, fields: object = {}, fault?: Fault) {
    const payload = { event, session: this.id, transcript: this.transcript, directory: this.cwd, ...fields }
    // src/clients/opencode/plugin/ask-cortext.ts runs it without a shell too.
    return this.hook('export CORTEXT_CLIENT_PID=$PPID; exec cortext hook opencode', payload, {}, fault)
  }

  #calls = 0

  #message(id: string, role: string, parts: object[], more: object) {
    const time = nextTime().getTime()
    const model = role === 'user' ? {} : { providerID: 'fake', modelID: 'scripted' }
    return {
      type: 'message',
      id,
      info: { id, sessionID: this.id, role, time: { created: time }, ...model, ...more },
      parts: parts.map((part, index) => ({ id: `prt_${id}_${index}`, ...part })),
    }
  }

  /** Ids ascend, as the client's do. */
  #id(kind: string): string {
    this.#calls += 1
    return `${kind}_${String(this.#calls).padStart(6, '0')}${this.chance.uuid().slice(0, 8)}${this.id.slice(4, 12)}`
  }
}
