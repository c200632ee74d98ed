import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { scriptFor, versionsOf } from './install.ts'
import { type Finished, type Lab, openLab as openPlainLab, type RunOptions } from './lab.ts'
import type { Terminal } from './terminal.ts'

/** A person's machine with one version of Gemini CLI, logged in and past its first-run questions. */
export type GeminiLab = Lab & GeminiHere

/** One version of Gemini CLI on a machine. */
export interface GeminiHere {
  readonly version: string
  /** `gemini -p prompt …args` */
  headless(prompt: string, args?: readonly string[], options?: RunOptions): Promise<Finished>
  /** `gemini …args` in a terminal, once its prompt is there and its commands are loaded. */
  interactive(args?: readonly string[]): Promise<Terminal>
  /** Paths of the session files, oldest name first. */
  transcripts(): string[]
  /** What the person's "Trust folder" does. */
  trust(folder: string): void
  /** Writes a file of the project. */
  put(path: string, content: string): void
}

/** What Gemini CLI needs in its environment, given the port of the fake model. */
export const geminiEnv = (port: number): Record<string, string> => ({
  GEMINI_API_KEY: 'a-dummy-key-for-tests-only',
  GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}`,
  COLORTERM: 'truecolor',
  // Otherwise the client starts itself a second time, with more memory than it needs here. See `AS_SHIPPED`.
  GEMINI_CLI_NO_RELAUNCH: 'true',
})

/** For tests of how the client's processes end: it runs in a child of the process that was started. */
export const AS_SHIPPED = { GEMINI_CLI_NO_RELAUNCH: '' }

interface GeminiOptions {
  version?: string
  /** Goes over what `~/.gemini/settings.json` holds here. */
  userSettings?: object
}

export async function openGeminiLab(
  options: GeminiOptions & { env?: Record<string, string> } = {},
): Promise<GeminiLab> {
  const lab = await openPlainLab((port) => ({ ...geminiEnv(port), ...options.env }))
  return { ...lab, ...putGemini(lab, options) }
}

/** Puts Gemini CLI on a machine. */
export function putGemini(lab: Lab, options: GeminiOptions = {}): GeminiHere {
  const version = options.version ?? versionsOf('gemini')[versionsOf('gemini').length - 1]!
  writeFileSync(join(lab.bin, 'gemini'), scriptFor('gemini', version), { mode: 0o755 })
  const own = join(lab.home, '.gemini')
  mkdirSync(own)
  writeFileSync(join(own, 'settings.json'), JSON.stringify({ ...FIRST_RUN_DONE, ...options.userSettings }))
  const trusted: Record<string, string> = {}
  const trust = (folder: string) => {
    trusted[folder] = 'TRUST_FOLDER'
    writeFileSync(join(own, 'trustedFolders.json'), JSON.stringify(trusted))
  }
  trust(lab.project)

  return {
    version,
    headless: (prompt, args = [], run) => lab.run(['gemini', ...args, '-p', prompt], run),
    async interactive(args = []) {
      const terminal = lab.terminal(['gemini', ...args])
      await promptOf(terminal)
      return terminal
    },
    trust,
    transcripts: () => findTranscripts(join(own, 'tmp')),
    put(path, content) {
      const file = join(lab.project, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
    },
  }
}

/** The prompt is shown before the command files are loaded, and nothing tells when they are. */
export async function promptOf(terminal: Terminal): Promise<void> {
  await terminal.waitFor('Type your message')
  await new Promise((resolve) => setTimeout(resolve, 1_500))
}

/** The same of a client that is given a history: it can be typed to before it has read that, and then asks without it. */
export async function handedOver(terminal: Terminal): Promise<void> {
  const isThere = () => terminal.history().includes('[Resuming "')
  await terminal.waitFor(isThere, { timeout: 60_000, every: 250 })
  await promptOf(terminal)
}

const FIRST_RUN_DONE = {
  security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: true } },
  telemetry: { enabled: false },
  privacy: { usageStatisticsEnabled: false },
  general: {
    enableAutoUpdate: false,
    enableAutoUpdateNotification: false,
    // In a shared workspace this is left to each person (docs/clients/gemini-cli.md).
    sessionRetention: { enabled: false },
  },
  ui: { theme: 'Default', hideTips: true, hideBanner: true },
  tools: { shell: { enableInteractiveShell: false } },
}

function findTranscripts(store: string): string[] {
  if (!existsSync(store)) return []
  return readdirSync(store)
    .map((slug) => join(store, slug, 'chats'))
    .filter((chats) => existsSync(chats))
    .flatMap((chats) => readdirSync(chats).map((name) => join(chats, name)))
    .filter((path) => path.endsWith('.jsonl'))
    .sort()
}

// biome-ignore lint/suspicious/noExplicitAny: a foreign format that the tests look into, and compare with.
export function recordsOf(transcript: string): any[] {
  const lines = readFileSync(transcript, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}
