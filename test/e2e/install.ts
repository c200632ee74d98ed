import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LONG } from '../helpers/long.ts'

export const CLIENTS = join(import.meta.dirname, 'clients')
const BROWSER = join(import.meta.dirname, 'browser')

const { dependencies, programs } = JSON.parse(readFileSync(join(CLIENTS, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>
  programs: Record<string, string>
}

/** The versions of a client that are pinned in clients/package.json, oldest first. */
export function versionsOf(client: string): readonly string[] {
  const names = Object.keys(dependencies).filter((name) => name.startsWith(`${client}-`))
  const versions = names.map((name) => name.slice(client.length + 1))
  return versions.sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
}

export const PINNED_CLAUDE = versionsOf('claude')
/** The versions that a run of the tests drives: all of them by `npm run test:long`, otherwise the newest. */
export const CLAUDE_VERSIONS = LONG ? PINNED_CLAUDE : PINNED_CLAUDE.slice(-1)

/**
 * Vitest's global set-up: installs the pinned clients and the browser when they are missing or their lock file has
 * changed. One that cannot be installed or started fails the run: these tests never skip.
 */
export default function install(): void {
  needTmux()
  for (const folder of [CLIENTS, BROWSER])
    execFileSync(process.execPath, [join(folder, 'install.mjs')], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** What starts a pinned version: a native binary, or a script that names node as its interpreter. */
export function programOf(client: string, version: string): string {
  const path = join(CLIENTS, 'node_modules', `${client}-${version}`, programs[client]!)
  if (!existsSync(path)) {
    throw new Error(
      `${client} ${version} is not one of the pinned versions: ${versionsOf(client).join(', ')}`,
    )
  }
  return path
}

/** The folder for caches in which Copilot CLI has unpacked itself, which takes it seconds and 235 MB. */
export const UNPACKED = join(CLIENTS, 'node_modules', '.unpacked')

/**
 * A shell script that starts a pinned version of a client that is written for node, with the pinned node. For some the
 * node of the tests may be too old, and Gemini CLI ends its turns and itself with a third of the processor time (0.61.0).
 */
export function scriptFor(client: string, version: string): string {
  const node = programOf('node', versionsOf('node').at(-1)!)
  return `#!/bin/sh\nexec '${node}' '${programOf(client, version)}' "$@"\n`
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
