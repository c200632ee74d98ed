import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { programOf, versionsOf } from './install.ts'
import { type Finished, type Lab, openLab as openPlainLab, type RunOptions } from './lab.ts'
import { type Block, tool } from './reply.ts'
import type { Terminal } from './terminal.ts'

/** A person's machine with one version of Codex CLI, logged in, with a project that it trusts. */
export type CodexLab = Lab & CodexHere

/** One version of Codex CLI on a machine. */
export interface CodexHere {
  readonly version: string
  /** `codex exec …args`, what is said on stdin. */
  headless(said: string, args?: readonly string[], options?: RunOptions): Promise<Finished>
  /** `codex …args` in a terminal, once its prompt is there. */
  interactive(args?: readonly string[]): Promise<Terminal>
  /** Paths of the rollouts, oldest name first. */
  transcripts(): string[]
  /** Writes a file of the project. */
  put(path: string, content: string): void
  /** Adds lines to the person's `config.toml`. */
  config(lines: string): void
  /** Asks the app server, as an editor does: the result of one call. Throws what it answers instead. */
  // biome-ignore lint/suspicious/noExplicitAny: a foreign format that the tests look into, and compare with.
  ask(method: string, params: object): Promise<any>
  /** What the person's "Trust all" does, for the hooks that a folder has now; by default the project. */
  trustHooks(folder?: string): Promise<void>
}

/** What Codex CLI needs in its environment, given the port of the fake model. */
export const codexEnv = (port: number): Record<string, string> => ({
  FAKE_MODEL_KEY: 'a-dummy-key-for-tests-only',
  FAKE_MODEL_PORT: String(port),
})

interface CodexOptions {
  version?: string
  /** Whether the terminal client starts a background server and is shown by it, as it does for people by default. */
  daemon?: boolean
  /** Whether the person has said that they trust the project; yes by default. */
  trusted?: boolean
}

/** The client's sandbox hides what lies below /dev, where memory is, and may write below /tmp. */
export const PLACE = '/var/tmp'

/** With a daemon the lab has processes of its own, so that the daemon ends with it. */
export async function openCodexLab(
  options: CodexOptions & { env?: Record<string, string> } = {},
): Promise<CodexLab> {
  const env = (port: number) => ({ ...codexEnv(port), ...options.env })
  const lab = await openPlainLab(env, { ownProcesses: options.daemon === true, place: PLACE })
  return { ...lab, ...putCodex(lab, options) }
}

/** Puts Codex CLI on a machine. */
export function putCodex(lab: Lab, options: CodexOptions = {}): CodexHere {
  const version = options.version ?? versionsOf('codex').at(-1)!
  symlinkSync(programOf('codex', version), join(lab.bin, 'codex'))
  const own = join(lab.home, '.codex')
  const settings = join(own, 'config.toml')
  mkdirSync(own)
  writeFileSync(settings, firstRunDone(lab, options))
  // Its agent's shell is one that a person logs in with, which begins with the system's PATH.
  writeFileSync(join(lab.home, '.bash_profile'), `PATH='${lab.bin}':$PATH\n`)
  const config = (lines: string) => appendFileSync(settings, `${lines}\n`)
  const ask = (method: string, params: object) => askServer(lab, method, params)

  return {
    version,
    headless: (said, args = [], run) => lab.run(['codex', 'exec', ...args, '-'], { input: said, ...run }),
    async interactive(args = []) {
      const terminal = lab.terminal(['codex', ...args])
      await codexPrompt(terminal)
      return terminal
    },
    transcripts: () => findTranscripts(join(own, 'sessions')),
    put(path, content) {
      const file = join(lab.project, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
    },
    config,
    ask,
    async trustHooks(folder = lab.project) {
      const { data } = await ask('hooks/list', { cwds: [folder] })
      for (const { key, currentHash } of data[0].hooks)
        config(`[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = ${JSON.stringify(currentHash)}`)
    },
  }
}

/** Returns once Codex CLI in a terminal can be typed to. */
export async function codexPrompt(terminal: Terminal): Promise<void> {
  await terminal.waitFor(/^› /m, { timeout: 60_000 })
}

/** Ends Codex CLI in a terminal by its own command; its exit code. */
export async function leaveCodex(terminal: Terminal): Promise<number> {
  await terminal.submit('/quit', { after: 300 })
  return terminal.waitForExit({ timeout: 15_000 }).catch(() => {
    terminal.press('Enter')
    return terminal.waitForExit()
  })
}

/** What the agent runs in the shell. */
export function codexShell(command: string): Block {
  return tool('exec_command', { cmd: command })
}

function firstRunDone({ project, env }: Lab, { daemon = false, trusted = true }: CodexOptions): string {
  const port = env.FAKE_MODEL_PORT
  return `model = "fake-model"
model_provider = "fake"
check_for_update_on_startup = false

[analytics]
enabled = false

[features]
daemon_auto_start = ${daemon}

[model_providers.fake]
name = "fake"
base_url = "http://127.0.0.1:${port}/v1"
wire_api = "responses"
env_key = "FAKE_MODEL_KEY"
request_max_retries = 0
stream_max_retries = 0

[projects.${JSON.stringify(project)}]
trust_level = "${trusted ? 'trusted' : 'untrusted'}"

`
}

// biome-ignore lint/suspicious/noExplicitAny: a foreign format that the tests look into, and compare with.
async function askServer(lab: Lab, method: string, params: object): Promise<any> {
  const clientInfo = { name: 'tests', version: '0' }
  const lines = [
    { id: 0, method: 'initialize', params: { clientInfo, capabilities: { experimentalApi: true } } },
    { method: 'initialized' },
    { id: 1, method, params },
  ]
  // It ends with its stdin, and what it has not answered by then stays unanswered.
  const asked = lines.map((line) => JSON.stringify(line)).join('\n')
  const answered = `i=0; until grep -qs '"id":1[,}]' "$2" || [ $i -gt 100 ]; do sleep 0.05; i=$((i+1)); done`
  const script = `{ printf '%s\\n' "$1"; ${answered}; } | codex app-server >"$2"; cat "$2"; rm "$2"`
  const { stdout, stderr } = await lab.run(['sh', '-c', script, 'sh', asked, join(lab.folder, 'answers')])
  const answers = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
  const answer = answers.find(({ id }) => id === 1)
  if (answer?.result === undefined) throw new Error(`${method}: ${JSON.stringify(answer)}\n${stderr}`)
  return answer.result
}

function findTranscripts(store: string): string[] {
  if (!existsSync(store)) return []
  return readdirSync(store, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.jsonl'))
    .map((path) => join(store, path))
    .sort()
}

// biome-ignore lint/suspicious/noExplicitAny: a foreign format that the tests look into, and compare with.
export function rolloutOf(transcript: string): any[] {
  const lines = readFileSync(transcript, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}
