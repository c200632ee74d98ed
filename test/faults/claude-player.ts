import { join } from 'node:path'
import { type AgentCall, nextTime, Player, type Said } from './player.ts'
import type { Fault } from './world.ts'

/** Claude Code 2.1.197. */
export class ClaudePlayer extends Player {
  readonly client = 'claude'
  #last: string | null = null

  async begin(): Promise<this> {
    this.transcript = this.#file()
    this.write(this.headRecords())
    return this
  }

  get shellEnv(): Record<string, string> {
    return { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: this.id }
  }

  async start(title: string, answer: string, fault?: Fault): Promise<void> {
    const prompt = `/workspace.brainstorm ${title}`
    await this.#expand('workspace.brainstorm', title, fault)
    await this.#run('UserPromptSubmit', { prompt })
    this.write([...this.#commandRecords('workspace.brainstorm', title), ...this.answerRecords(answer)])
    await this.#run('Stop', { stop_hook_active: false })
  }

  async call({ typed, args, answer, shell, fault, promptFault }: AgentCall) {
    await this.#expand(typed, args, promptFault)
    await this.#run('UserPromptSubmit', { prompt: `/${typed} ${args}`.trim() })
    this.write(this.#commandRecords(typed, args))
    const id = `toolu_${this.chance.uuid()}`
    const called = { type: 'tool_use', id, name: 'Bash', input: { command: shell } }
    this.write([this.#assistant([called], 'tool_use')])
    const ran = await this.shell(shell, fault)
    const result = { type: 'tool_result', tool_use_id: id, content: ran.stdout.slice(0, 30_000) }
    this.write([this.#user([result]), ...this.answerRecords(answer)])
    await this.#run('Stop', { stop_hook_active: false })
    return ran
  }

  async clear(fault?: Fault): Promise<void> {
    await this.#run('SessionEnd', { reason: 'clear' }, fault)
    this.id = this.chance.uuid()
    this.#last = null
    await this.begin()
    await this.openHook('clear')
  }

  protected promptHook({ prompt }: Said, fault?: Fault) {
    return this.#run('UserPromptSubmit', { prompt }, fault)
  }

  protected endHook({ answer }: Said, fault?: Fault) {
    return this.#run('Stop', { stop_hook_active: false, last_assistant_message: answer }, fault)
  }

  protected leaveHook(fault?: Fault) {
    return this.#run('SessionEnd', { reason: 'prompt_input_exit' }, fault)
  }

  protected openHook(source: string) {
    return this.#run('SessionStart', { source })
  }

  protected headRecords(): object[] {
    return [{ type: 'mode', mode: 'normal', sessionId: this.id }]
  }

  protected promptRecords(prompt: string): object[] {
    return [this.#user(prompt)]
  }

  protected answerRecords(answer: string): object[] {
    return [this.#assistant([{ type: 'text', text: answer }], 'end_turn')]
  }

  #commandRecords(name: string, args: string): object[] {
    const given = args === '' ? '' : `\n<command-args>${args}</command-args>`
    return [
      this.#user(`<command-message>${name}</command-message>\n<command-name>/${name}</command-name>${given}`),
      this.#user([{ type: 'text', text: `instructions of ${name}` }], { isMeta: true }),
    ]
  }

  #expand(command: string, args: string, fault?: Fault) {
    const fields = { expansion_type: 'slash_command', command_name: command, command_args: args }
    const prompt = `/${command} ${args}`.trim()
    return this.#run('UserPromptExpansion', { ...fields, command_source: 'projectSettings', prompt }, fault)
  }

  #run(event: string, fields: object, fault?: Fault) {
    const payload = {
      session_id: this.id,
      transcript_path: this.transcript,
      cwd: this.cwd,
      hook_event_name: event,
      ...fields,
    }
    const env = { ...this.shellEnv, CLAUDE_PROJECT_DIR: this.cwd }
    return this.hook(this.world.hooks.claude![event]!, payload, env, fault)
  }

  #user(content: unknown, fields: object = {}) {
    return this.#record({ type: 'user', message: { role: 'user', content }, ...fields })
  }

  #assistant(content: object[], stop_reason: string) {
    const id = `msg_${this.chance.uuid()}`
    const message = { id, type: 'message', role: 'assistant', model: 'claude-x', content, stop_reason }
    const usage = { input_tokens: 100, output_tokens: 20 }
    return this.#record({ type: 'assistant', message: { ...message, usage }, requestId: `req_${id}` })
  }

  #record(fields: object) {
    const uuid = this.chance.uuid()
    const record = {
      parentUuid: this.#last,
      isSidechain: false,
      ...fields,
      uuid,
      timestamp: nextTime().toISOString(),
      userType: 'external',
      cwd: this.cwd,
      sessionId: this.id,
      version: '2.1.197',
      gitBranch: 'trunk',
    }
    this.#last = uuid
    return record
  }

  #file(): string {
    const slug = this.cwd.replace(/[^A-Za-z0-9]/g, '-')
    return join(this.world.lab.home, '.claude', 'projects', slug, `${this.id}.jsonl`)
  }
}
