import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LONG } from '../helpers/long.ts'

export const CLIENTS = join(import.meta.dirname, 'clients')
const BROWSER = join(import.meta.dirname, 'browser')

/** The versions of a client that are pinned in clients/package.json, oldest first. */
function pinned(client: string): readonly string[] {
  const { dependencies } = JSON.parse(readFileSync(join(CLIENTS, 'package.json'), 'utf8'))
  const names = Object.keys(dependencies).filter((name) => name.startsWith(`${client}-`))
  const versions = names.map((name) => name.slice(client.length + 1))
  return versions.sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
}

export const PINNED_CLAUDE = pinned('claude')
/** The versions that a run of the tests drives: all of them by `npm run test:long`, otherwise the newest. */
export const CLAUDE_VERSIONS = LONG ? PINNED_CLAUDE : PINNED_CLAUDE.slice(-1)
export const OPENCODE_VERSIONS = pinned('opencode')
export const GEMINI_VERSIONS = pinned('gemini')
export const CODEX_VERSIONS = pinned('codex')
export const PI_VERSIONS = pinned('pi')
export const QWEN_VERSIONS = pinned('qwen')
export const COPILOT_VERSIONS = pinned('copilot')

/**
 * Vitest's global set-up: installs the pinned clients and the browser when they are missing or their lock file has
 * changed. One that cannot be installed or started fails the run: these tests never skip.
 */
export default function install(): void {
  needTmux()
  for (const folder of [CLIENTS, BROWSER])
    execFileSync(process.execPath, [join(folder, 'install.mjs')], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** The native binary of a pinned version. */
export function claudeBinary(version: string): string {
  // Called .exe on every platform: npm's post-install script puts the native binary in its place.
  const path = join(CLIENTS, 'node_modules', `claude-${version}`, 'bin', 'claude.exe')
  if (!existsSync(path)) {
    throw new Error(`Claude Code ${version} is not one of the pinned versions: ${PINNED_CLAUDE.join(', ')}`)
  }
  return path
}

/** The native binary of a pinned version, in the package that opencode-ai chooses on Linux and x64. */
export function opencodeBinary(version: string): string {
  return join(CLIENTS, 'node_modules', `opencode-${version}`, 'bin', 'opencode')
}

/** The native binary of a pinned version, in the package that @openai/codex chooses on Linux and x64. */
export function codexBinary(version: string): string {
  return join(
    CLIENTS,
    'node_modules',
    `codex-${version}`,
    'vendor',
    'x86_64-unknown-linux-musl',
    'bin',
    'codex',
  )
}

/** The native binary of a pinned version, in the package that @github/copilot chooses on Linux and x64. */
export function copilotBinary(version: string): string {
  return join(CLIENTS, 'node_modules', `copilot-${version}`, 'copilot')
}

/** The folder for caches in which Copilot CLI has unpacked itself, which takes it seconds and 235 MB. */
export const UNPACKED = join(CLIENTS, 'node_modules', '.unpacked')

/** The script of a pinned version, which names node as its interpreter. */
export function geminiProgram(version: string): string {
  return join(CLIENTS, 'node_modules', `gemini-${version}`, 'bundle', 'gemini.js')
}

/** The script of a pinned version, which needs `node22`. */
export function piProgram(version: string): string {
  return join(CLIENTS, 'node_modules', `pi-${version}`, 'dist', 'bundle', 'cli.js')
}

/** The script of a pinned version, which needs `node22`. */
export function qwenProgram(version: string): string {
  return join(CLIENTS, 'node_modules', `qwen-${version}`, 'cli-entry.js')
}

/** The node that runs clients for which the one of the tests may be too old. */
export function node22(): string {
  return join(CLIENTS, 'node_modules', 'node-v22.23.3', 'bin', 'node')
}

/** The version that tests run against when they do not name one: the newest, or `CORTEXT_E2E_CLAUDE`. */
export function chosenClaude(): string {
  return process.env.CORTEXT_E2E_CLAUDE || PINNED_CLAUDE[PINNED_CLAUDE.length - 1]!
}

function needTmux(): void {
  try {
    execFileSync('tmux', ['-V'], { stdio: 'ignore' })
  } catch (cause) {
    throw new Error('The end-to-end tests need tmux. Install it: sudo apt-get install -y tmux iproute2', {
      cause,
    })
  }
}
