import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { programOf, UNPACKED, versionsOf } from './install.ts'
import { type Finished, type Lab, openLab as openPlainLab, type RunOptions } from './lab.ts'
import type { Terminal } from './terminal.ts'
import { exit, initWorkspace, type LabWorkspace } from './workspace-lab.ts'

/** A person's machine with one version of Copilot CLI and a provider of their own. */
type CopilotLab = Lab & CopilotHere

/** One version of Copilot CLI on a machine. */
export interface CopilotHere {
  readonly version: string
  /** `copilot -p …args`, with what is said. */
  headless(said: string, args?: readonly string[], options?: RunOptions): Promise<Finished>
  /** `copilot …args` in a terminal, once its prompt is there. */
  interactive(args?: readonly string[]): Promise<Terminal>
  /** Paths of the sessions' events. */
  transcripts(): string[]
  /** Writes a file of the project. */
  put(path: string, content: string): void
  /** What the person's "don't ask again" writes, for a tool in the project. */
  allow(approval: object): void
}

/** A person's machine with Copilot CLI and a workspace that it trusts. */
export interface CopilotWorkspaceLab extends CopilotLab, LabWorkspace {
  /** Leaves the client in a terminal; its exit code, once what was said is published. */
  leave(terminal: Terminal): Promise<number>
  /** Starts a client by way of cortext, once its prompt is there. */
  resume(args: readonly string[]): Promise<Terminal>
}

/** What Copilot CLI needs in its environment. It asks the fake model and nobody else. */
export const copilotEnv = (port: number): Record<string, string> => ({
  COPILOT_OFFLINE: 'true',
  COPILOT_AUTO_UPDATE: 'false',
  COPILOT_PROVIDER_BASE_URL: `http://127.0.0.1:${port}/v1`,
  COPILOT_PROVIDER_API_KEY: 'dummy',
  COPILOT_MODEL: 'scripted',
})

interface CopilotOptions {
  version?: string
  /** Whether the person has said that they trust the project; yes by default. */
  trusted?: boolean
}

async function openLab(options: CopilotOptions = {}): Promise<CopilotLab> {
  const lab = await openPlainLab(copilotEnv)
  return { ...lab, ...putCopilot(lab, options) }
}

/** Puts Copilot CLI on a machine. */
export function putCopilot(
  lab: Lab,
  { version = versionsOf('copilot').at(-1)!, trusted = true }: CopilotOptions = {},
): CopilotHere {
  symlinkSync(programOf('copilot', version), join(lab.bin, 'copilot'))
  mkdirSync(join(lab.home, '.cache'), { recursive: true })
  symlinkSync(join(UNPACKED, 'copilot'), join(lab.home, '.cache', 'copilot'))
  const own = join(lab.home, '.copilot')
  mkdirSync(own)
  if (trusted) writeFileSync(join(own, 'config.json'), JSON.stringify({ trustedFolders: [lab.project] }))
  const sessions = join(own, 'session-state')
  return {
    version,
    headless: (said, args = [], run) => lab.run(['copilot', ...args, '--silent', '-p', said], run),
    async interactive(args = []) {
      const terminal = lab.terminal(['copilot', ...args], { cols: 140, rows: 42 })
      await copilotPrompt(terminal)
      return terminal
    },
    transcripts: () =>
      readdirSync(sessions)
        .map((id) => join(sessions, id, 'events.jsonl'))
        .filter((path) => existsSync(path)),
    allow(approval) {
      const locations = { [lab.project]: { tool_approvals: [approval] } }
      writeFileSync(join(own, 'permissions-config.json'), JSON.stringify({ locations }))
    },
    put(path, content) {
      mkdirSync(dirname(join(lab.project, path)), { recursive: true })
      writeFileSync(join(lab.project, path), content)
    },
  }
}

/** Returns once Copilot CLI can be typed to. */
export async function copilotPrompt(terminal: Terminal): Promise<void> {
  await terminal.waitFor('/ commands', { timeout: 60_000 })
}

export async function openWorkspaceLab(options: CopilotOptions = {}): Promise<CopilotWorkspaceLab> {
  const lab = await openLab(options)
  const workspace = await initWorkspace(lab, 'copilot')
  return {
    ...lab,
    ...workspace,
    async headless(said, args, run) {
      const done = await lab.headless(said, args, run)
      await workspace.settled()
      return done
    },
    async leave(terminal) {
      const code = await leaveCopilot(terminal)
      await workspace.settled()
      return code
    },
    async resume(args) {
      const terminal = lab.terminal(['cortext', 'resume', ...args], { cols: 140, rows: 42 })
      await copilotPrompt(terminal)
      return terminal
    },
  }
}

/** Takes the last prompt back, and empties the line into which Copilot CLI puts it. */
export async function rewind(terminal: Terminal, prompt: string): Promise<void> {
  await terminal.submit('/rewind', { after: 300 })
  await terminal.waitFor(/Rewind to|Rewind turn|Select/i)
  if (!/Rewind turn/.test(terminal.screen())) await terminal.pressUntil('Enter', /Rewind turn/)
  terminal.press('Enter')
  await terminal.waitFor((screen) => /Rewound/.test(screen) && screen.includes(`❯ ${prompt}`))
  await terminal.pressUntil('C-u', (screen) => !screen.includes(`❯ ${prompt}`))
}

/** Interrupts the turn that runs. */
export async function interrupt(terminal: Terminal): Promise<void> {
  terminal.press('Escape')
  await new Promise((done) => setTimeout(done, 300))
  terminal.press('Escape')
  await terminal.waitFor((screen) => !/Working/.test(screen))
}

/** Types a prompt and waits for its answer, and until the turn is over: what is typed before that is queued. */
export async function say(terminal: Terminal, typed: string, answer: string): Promise<void> {
  await terminal.submit(typed, { after: 400 })
  await terminal.waitFor(answer)
  await copilotPrompt(terminal)
}

export async function leaveCopilot(terminal: Terminal): Promise<number> {
  await copilotPrompt(terminal)
  return exit(terminal)
}
