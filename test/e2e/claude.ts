import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { chosenClaude, programOf } from './install.ts'
import { type Finished, type Lab, openLab as openPlainLab, type RunOptions } from './lab.ts'
import type { Terminal } from './terminal.ts'

const KEY = 'sk-ant-a-dummy-key-for-tests-only'

/**
 * The classic renderer, which leaves what scrolled away in the terminal (2.1.330 starts new people in full screen),
 * and no automatic permission mode, in which 2.1.330 would ask the model about each tool call.
 */
const USER_SETTINGS = { tui: 'default', permissions: { defaultMode: 'default' } }

/** A person's machine with one version of Claude Code, logged in and past its first-run questions. */
export type ClaudeLab = Lab & ClaudeHere

/** One version of Claude Code on a machine. */
export interface ClaudeHere {
  readonly version: string
  /** `claude -p …args` */
  headless(args: readonly string[], options?: RunOptions): Promise<Finished>
  /** `claude …args` in a terminal, once its prompt is there. */
  interactive(args?: readonly string[]): Promise<Terminal>
  /** Paths of the transcripts of all sessions, oldest name first. */
  transcripts(): string[]
  /** The records of one session's transcript, or of the only one. */
  records(sessionId?: string): ClaudeRecord[]
  /** What one transcript says was said: typed texts, expanded bodies marked `(meta) `, and the model's texts. */
  talk(sessionId?: string): string[]
  /** Writes a slash command of the project. `head` is further front matter. */
  command(name: string, body: string, head?: string): void
  /** Writes the project's local settings, as `init` in a private workspace does. */
  settings(value: unknown): void
}

// biome-ignore lint/suspicious/noExplicitAny: a foreign format that the tests look into, and compare with.
export type ClaudeRecord = Record<string, any>

/** What Claude Code needs in its environment, given the port of the fake model. */
export const claudeEnv = (port: number): Record<string, string> => ({
  ANTHROPIC_API_KEY: KEY,
  ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_INSTALLATION_CHECKS: '1',
})

interface ClaudeOptions {
  version?: string
  /** What `~/.claude/settings.json` holds instead of `USER_SETTINGS`. */
  userSettings?: object
}

export async function openLab(
  options: ClaudeOptions & { env?: Record<string, string> } = {},
): Promise<ClaudeLab> {
  const lab = await openPlainLab((port) => ({ ...claudeEnv(port), ...options.env }))
  return { ...lab, ...putClaude(lab, options) }
}

/** Puts Claude Code on a machine. */
export function putClaude(lab: Lab, options: ClaudeOptions = {}): ClaudeHere {
  const version = options.version ?? chosenClaude()
  symlinkSync(programOf('claude', version), join(lab.bin, 'claude'))
  writeFileSync(join(lab.home, '.claude.json'), JSON.stringify(firstRunDone(lab.project)))
  mkdirSync(join(lab.home, '.claude'))
  writeFileSync(
    join(lab.home, '.claude', 'settings.json'),
    JSON.stringify(options.userSettings ?? USER_SETTINGS),
  )
  const store = join(lab.home, '.claude', 'projects')

  return {
    version,
    headless: (args, run) => lab.run(['claude', '-p', ...args], run),
    async interactive(args = []) {
      const terminal = lab.terminal(['claude', ...args])
      await terminal.waitFor(/^─+\n❯/m)
      return terminal
    },
    transcripts: () => findTranscripts(store),
    records: (sessionId) => readRecords(findTranscripts(store), sessionId),
    talk: (sessionId) => spokenIn(readRecords(findTranscripts(store), sessionId)),
    command: (name, body, head = '') =>
      put(
        lab.project,
        `commands/${name}.md`,
        `---\ndescription: a command of the tests\n${head}\n---\n${body}`,
      ),
    settings: (value) => put(lab.project, 'settings.local.json', JSON.stringify(value)),
  }
}

/** What `~/.claude.json` says after the questions of a first run: theme, the key from the environment, trust. */
function firstRunDone(project: string) {
  return {
    hasCompletedOnboarding: true,
    theme: 'dark',
    hasSeenAutoDefaultNotice: true,
    hasSeenAutoDefaultNudge: true,
    customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true } },
  }
}

function findTranscripts(store: string): string[] {
  if (!existsSync(store)) return []
  return readdirSync(store)
    .flatMap((slug) => readdirSync(join(store, slug)).map((name) => join(store, slug, name)))
    .filter((path) => path.endsWith('.jsonl'))
    .sort()
}

function readRecords(transcripts: string[], sessionId: string | undefined): ClaudeRecord[] {
  const files = transcripts.filter((path) => !sessionId || path.endsWith(`/${sessionId}.jsonl`))
  if (files.length !== 1) throw new Error(`${files.length} transcripts instead of one: ${files.join(', ')}`)
  const lines = readFileSync(files[0]!, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}

/** See `ClaudeLab.talk`. */
export function spokenIn(records: ClaudeRecord[]): string[] {
  return chained(records).flatMap(spoken)
}

/** Parents before children: 2.1.197 writes the first answer above its prompt now and then. */
function chained(records: ClaudeRecord[]): ClaudeRecord[] {
  const known = new Set(records.map((record) => record.uuid))
  const below = (parent: string): ClaudeRecord[] =>
    records.filter((record) => record.parentUuid === parent).flatMap(withBelow)
  const withBelow = (record: ClaudeRecord) => [record, ...below(record.uuid)]
  return records.filter((record) => record.uuid && !known.has(record.parentUuid)).flatMap(withBelow)
}

function spoken({ type, message, isMeta }: ClaudeRecord): string[] {
  if (type !== 'user' && type !== 'assistant') return []
  const said = typeof message.content === 'string' ? message.content : message.content[0].text
  return said === undefined ? [] : [isMeta ? `(meta) ${said}` : said]
}

function put(project: string, path: string, content: string): void {
  const file = join(project, '.claude', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

/**
 * Ends the client by Ctrl-C twice, which writes nothing into the transcript as `/exit` can. The first one is lost on a
 * client that is still busy with the end of its turn (2.1.197).
 */
export async function leaveByKeys(terminal: Terminal): Promise<number> {
  for (let tries = 1, asked = false; !asked && tries <= 10; tries++) {
    terminal.press('C-c')
    asked = await terminal.waitFor('again to exit', { timeout: 1_500 }).then(
      () => true,
      () => false,
    )
  }
  terminal.press('C-c')
  return terminal.waitForExit()
}
