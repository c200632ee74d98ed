import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { slugOf } from '../../src/clients/claude/locate.ts'
import type { Lab, Run } from './workspace-lab.ts'

let clock = 0
let answers = 0

/**
 * Plays Claude Code (2.1.197) in a lab without it: writes its transcript lines and runs its hooks in the order that the
 * client has: expansion, submit, lines, stop. It calls no model and shows nothing.
 */
export class ClaudeSession {
  readonly id: string
  readonly transcript: string
  /** The client sets these variables for the agent's shell calls. */
  readonly env: Record<string, string>
  readonly #lab: Lab
  readonly #cwd: string
  #last: string | null = null

  constructor(lab: Lab, cwd = lab.root, id: string = randomUUID()) {
    this.#lab = lab
    this.#cwd = cwd
    this.id = id
    this.transcript = join(lab.home, '.claude', 'projects', slugOf(cwd), `${id}.jsonl`)
    this.env = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: id }
    mkdirSync(dirname(this.transcript), { recursive: true })
  }

  /** Continues the one session of a lab's project. */
  static inLab(lab: Lab): ClaudeSession {
    const folder = join(lab.home, '.claude', 'projects', slugOf(lab.root))
    const [name, ...others] = readdirSync(folder).filter((entry) => entry.endsWith('.jsonl'))
    if (name === undefined || others.length > 0) throw new Error(`there is not one session in ${folder}`)
    const session = new ClaudeSession(lab, lab.root, basename(name, '.jsonl'))
    const last = readFileSync(session.transcript, 'utf8').trimEnd().split('\n').at(-1)!
    session.#last = JSON.parse(last).uuid
    return session
  }

  /** Plays one turn: the prompt, an answer, and the hooks around them. */
  async turn(prompt: string, answer = `answer to ${prompt}`): Promise<void> {
    await this.hook('UserPromptSubmit', { prompt })
    this.say(prompt, answer)
    await this.hook('Stop', { stop_hook_active: false, last_assistant_message: answer })
  }

  /** Plays a slash command that the model answers. `during` runs while the model works, as its shell calls do. */
  async command(name: string, args: string, during?: () => Promise<Run>): Promise<Run | undefined> {
    const prompt = `/${name} ${args}`.trim()
    await this.hook('UserPromptExpansion', {
      expansion_type: 'slash_command',
      command_name: name,
      command_args: args,
      command_source: 'projectSettings',
      prompt,
    })
    await this.hook('UserPromptSubmit', { prompt })
    const given = args === '' ? '' : `\n<command-args>${args}</command-args>`
    this.user(`<command-message>${name}</command-message>\n<command-name>/${name}</command-name>${given}`)
    this.user([{ type: 'text', text: `instructions of ${name}` }], { isMeta: true })
    let ran: Run | undefined
    if (during !== undefined) {
      const call = `toolu_${++answers}`
      this.assistant(
        [{ type: 'tool_use', id: call, name: 'Bash', input: { command: 'cortext' } }],
        'tool_use',
      )
      ran = await during()
      this.user([{ type: 'tool_result', tool_use_id: call, content: ran.stdout }])
    }
    this.assistant([{ type: 'text', text: `answer to ${prompt}` }])
    await this.hook('Stop', { stop_hook_active: false })
    return ran
  }

  /** Writes the transcript lines of one turn, and runs no hooks. */
  say(prompt: string, answer = `answer to ${prompt}`): void {
    this.user(prompt)
    this.assistant([{ type: 'text', text: answer }])
  }

  user(content: unknown, fields: object = {}): void {
    this.#append({ type: 'user', message: { role: 'user', content }, ...fields })
  }

  assistant(content: object[], stopReason = 'end_turn'): void {
    const id = `msg_${this.id.slice(0, 8)}_${++answers}`
    const usage = { input_tokens: 100, output_tokens: 20 }
    this.#append({
      type: 'assistant',
      message: {
        id,
        type: 'message',
        role: 'assistant',
        model: 'claude-x',
        content,
        stop_reason: stopReason,
        usage,
      },
      requestId: `req_${answers}`,
    })
  }

  /** Replaces the whole transcript, as some clients do. */
  rewrite(): void {
    writeFileSync(this.transcript, '')
    this.user('a summary of what was', { isMeta: true })
  }

  /** Runs a hook. `pid` is the client's process; the default is the process that starts the hook. */
  hook(name: string, fields: object = {}, pid?: number): Promise<Run> {
    const payload = {
      session_id: this.id,
      transcript_path: this.transcript,
      cwd: this.#cwd,
      hook_event_name: name,
      ...fields,
    }
    // The folder of a worktree may have been removed.
    const cwd = existsSync(this.#cwd) ? this.#cwd : this.#lab.home
    return this.#lab.cortext(['hook', 'claude'], {
      cwd,
      input: JSON.stringify(payload),
      env: {
        ...this.env,
        CLAUDE_PROJECT_DIR: this.#cwd,
        ...(pid === undefined ? {} : { CORTEXT_CLIENT_PID: String(pid) }),
      },
    })
  }

  #append(fields: object): void {
    clock = Math.max(clock + 10, Date.now() - 60_000)
    const uuid = randomUUID()
    const record = {
      parentUuid: this.#last,
      isSidechain: false,
      timestamp: new Date(clock).toISOString(),
      ...fields,
      uuid,
      userType: 'external',
      cwd: this.#cwd,
      sessionId: this.id,
      version: '2.1.197',
      gitBranch: 'trunk',
    }
    this.#last = uuid
    appendFileSync(this.transcript, `${JSON.stringify(record)}\n`)
  }
}
