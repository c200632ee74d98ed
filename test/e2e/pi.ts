import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { filesBelow } from '../clients/fixtures.ts'
import { scriptFor, versionsOf } from './install.ts'
import { type Finished, type Lab, openLab as openPlainLab, type RunOptions } from './lab.ts'
import type { Terminal } from './terminal.ts'
import { exit, initWorkspace, type LabWorkspace } from './workspace-lab.ts'

/** A person's machine with one version of Pi and a provider that it knows. */
type PiLab = Lab & PiHere

/** One version of Pi on a machine. */
export interface PiHere {
  readonly version: string
  /** `pi -p …args`, what is said on stdin. */
  headless(said: string, args?: readonly string[], options?: RunOptions): Promise<Finished>
  /** `pi …args` in a terminal, once its prompt is there. */
  interactive(args?: readonly string[]): Promise<Terminal>
  /** Paths of the sessions, oldest name first. */
  transcripts(): string[]
  /** Writes a file of the project. */
  put(path: string, content: string): void
}

/** A person's machine with Pi and a workspace that it trusts. */
export interface PiWorkspaceLab extends PiLab, LabWorkspace {
  /** Leaves the client in a terminal; its exit code, once what was said is published. */
  leave(terminal: Terminal): Promise<number>
  /** Starts a client by way of cortext, once its prompt is there. */
  resume(args: readonly string[]): Promise<Terminal>
}

/** What Pi needs in its environment. */
export const piEnv = (port: number): Record<string, string> => ({
  PI_OFFLINE: '1',
  PI_TELEMETRY: '0',
  PI_SKIP_VERSION_CHECK: '1',
  FAKE_PI_PORT: String(port),
})

interface PiOptions {
  version?: string
  /** Whether the person has said that they trust the project; yes by default. */
  trusted?: boolean
}

async function openLab(options: PiOptions = {}): Promise<PiLab> {
  const lab = await openPlainLab(piEnv)
  return { ...lab, ...putPi(lab, options) }
}

/** Puts Pi on a machine. */
export function putPi(
  lab: Lab,
  { version = versionsOf('pi').at(-1)!, trusted = true }: PiOptions = {},
): PiHere {
  writeFileSync(join(lab.bin, 'pi'), scriptFor('pi', version), { mode: 0o755 })
  const own = join(lab.home, '.pi', 'agent')
  mkdirSync(own, { recursive: true })
  const write = (name: string, value: object) => writeFileSync(join(own, name), JSON.stringify(value))
  write('models.json', models(Number(lab.env.FAKE_PI_PORT)))
  write('settings.json', {
    defaultProvider: 'fake',
    defaultModel: 'scripted',
    enableInstallTelemetry: false,
    quietStartup: true,
    // By default a short talk is not compacted.
    compaction: { keepRecentTokens: 1 },
  })
  if (trusted) write('trust.json', { [lab.project]: true })
  return {
    version,
    headless: (said, args = [], run) => lab.run(['pi', '-p', ...args, said], run),
    async interactive(args = []) {
      const terminal = lab.terminal(['pi', ...args], { cols: 140, rows: 42 })
      await piPrompt(terminal)
      return terminal
    },
    transcripts: () => filesBelow(join(own, 'sessions')).map((path) => join(own, 'sessions', path)),
    put(path, content) {
      mkdirSync(dirname(join(lab.project, path)), { recursive: true })
      writeFileSync(join(lab.project, path), content)
    },
  }
}

/** Returns once Pi can be typed to: its footer names the model. */
export async function piPrompt(terminal: Terminal): Promise<void> {
  await terminal.waitFor(/scripted/, { timeout: 60_000 })
}

export async function openWorkspaceLab(options: PiOptions = {}): Promise<PiWorkspaceLab> {
  const lab = await openLab(options)
  const workspace = await initWorkspace(lab, 'pi')
  return {
    ...lab,
    ...workspace,
    async headless(said, args, run) {
      const done = await lab.headless(said, args, run)
      await workspace.settled()
      return done
    },
    async leave(terminal) {
      const code = await leavePi(terminal)
      await workspace.settled()
      return code
    },
    async resume(args) {
      const terminal = lab.terminal(['cortext', 'resume', ...args], { cols: 140, rows: 42 })
      await piPrompt(terminal)
      return terminal
    },
  }
}

export function leavePi(terminal: Terminal): Promise<number> {
  return exit(terminal, '/quit')
}

function models(port: number) {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  return {
    providers: {
      fake: {
        baseUrl: `http://127.0.0.1:${port}/v1`,
        api: 'openai-completions',
        apiKey: 'dummy',
        models: [
          {
            id: 'scripted',
            reasoning: true,
            input: ['text', 'image'],
            contextWindow: 1_000_000,
            maxTokens: 4096,
            cost,
          },
        ],
      },
    },
  }
}
