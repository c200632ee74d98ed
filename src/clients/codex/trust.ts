import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { realFolder } from '../../io/real-folder.ts'
import { oursFor, withoutNotes } from '../shared/setup/hook-entries.ts'
import { readToml } from '../shared/setup/settings-files.ts'
import { type Fields, fieldsOf, jsonIn, listOf } from '../shared/transcript/fields.ts'
import { textAt } from '../shared/transcript/session-files.ts'
import { HOOKS, ownFolder } from './facts.ts'

/** The person's answers to Codex CLI, from `config.toml` in Codex's own folder. */
export interface CodexConfig {
  /** The file, for messages. */
  path: string
  /**
   * Returns a string or a boolean. `keys` are the names of its tables, then its own key: `hooks`, `state`, `<key of the
   * hook>`, `trusted_hash`.
   */
  get(...keys: string[]): string | boolean | undefined
}

/** Reads `config.toml`. A value that is missing or cannot be read is undefined. */
export function readConfig(environment: Environment): CodexConfig {
  const path = join(ownFolder(environment), 'config.toml')
  const settings = readToml(path)
  return {
    path,
    get(...keys) {
      const value = keys.reduce<unknown>(ownValue, settings)
      return typeof value === 'string' || typeof value === 'boolean' ? value : undefined
    },
  }
}

/**
 * Keys are paths and names from outside. So this reads no property that every object inherits, such as `constructor`.
 */
function ownValue(fields: unknown, key: string): unknown {
  return Object.hasOwn(fieldsOf(fields), key) ? fieldsOf(fields)[key] : undefined
}

/**
 * Whether Codex CLI trusts a folder: by an entry for it, else by an entry for the repository around it, which for a
 * linked worktree is the main one (0.169.0). Undefined when there is no entry: Codex asks at its next start.
 */
export function isTrusted({ get }: CodexConfig, folder: string): boolean | undefined {
  const here = realFolder(folder)
  const level = [here, topOf(here), mainFolder(here)]
    .map((path) => get('projects', path, 'trust_level'))
    .find((found) => found !== undefined)
  return level === undefined ? undefined : level === 'trusted'
}

/**
 * The folder whose `hooks.json` Codex CLI runs in this one: for a linked worktree that of the main work tree, as soon as
 * the worktree has a folder `.codex` (0.169.0). Skills and rules are those of the worktree.
 */
export function mainFolder(folder: string): string {
  const top = topOf(folder)
  const [, gitDir] = /^gitdir: (.+?)[\r\n]*$/.exec(textAt(join(top, '.git')) ?? '') ?? []
  const common = gitDir === undefined ? '' : resolve(top, gitDir, '..', '..')
  // The folder of a submodule is below `modules`.
  const isWorktree = gitDir !== undefined && basename(dirname(gitDir)) === 'worktrees'
  return isWorktree && basename(common) === '.git' ? join(dirname(common), relative(top, folder)) : folder
}

/** The state of a hook in Codex CLI. Codex CLI runs only `trusted` hooks. */
export type HookTrust = 'trusted' | 'untrusted' | 'changed' | 'off'

/**
 * The states of our hooks in a settings file. The client identifies a hook by the file's path, its event and its place in
 * the file, and trusts it by a hash of its entry (0.169.0).
 */
export function hookTrust({ get }: CodexConfig, file: string): HookTrust[] {
  const path = join(realFolder(dirname(file)), 'hooks.json')
  return handlersIn(file).flatMap(({ event, place, matcher, handler }) => {
    if (!oursFor(HOOKS.client)(handler)) return []
    const key = `${path}:${event}:${place}`
    if (get('hooks', 'state', key, 'enabled') === false) return ['off' as const]
    const trusted = get('hooks', 'state', key, 'trusted_hash')
    if (trusted === undefined) return ['untrusted' as const]
    return [trusted === hookHash(event, matcher, handler) ? ('trusted' as const) : ('changed' as const)]
  })
}

interface Handler {
  /** The client's name for the event: `session_start`. */
  event: string
  /** The index of the hook's group, and the hook's index in that group: `0:0`. */
  place: string
  matcher: unknown
  handler: Fields
}

function handlersIn(file: string): Handler[] {
  return Object.entries(fieldsOf(fieldsOf(jsonIn(textAt(file) ?? '')).hooks)).flatMap(([name, groups]) =>
    listOf(groups).flatMap((group, g) =>
      listOf(fieldsOf(group).hooks).map((handler, h) => ({
        event: name.replace(/(?<!^)([A-Z])/g, '_$1').toLowerCase(),
        place: `${g}:${h}`,
        matcher: fieldsOf(group).matcher,
        handler: fieldsOf(handler),
      })),
    ),
  )
}

/** The events whose matcher the client uses. The hash does not contain the matcher of any other event. */
const EVENTS_WITH_MATCHER = [
  'session_start',
  'pre_tool_use',
  'post_tool_use',
  'permission_request',
  'pre_compact',
  'post_compact',
]

/**
 * The hash by which the client recognises a hook. It is the hash of the hook's entry, with all defaults filled in and
 * all keys sorted.
 */
export function hookHash(event: string, matcher: unknown, handler: Fields): string {
  const filled = { timeout: 600, async: false, ...withoutNotes(handler) }
  const identity = {
    event_name: event,
    ...(matcher !== undefined && EVENTS_WITH_MATCHER.includes(event) ? { matcher } : {}),
    hooks: [filled],
  }
  return `sha256:${createHash('sha256')
    .update(JSON.stringify(sortKeys(identity)))
    .digest('hex')}`
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]))
}

function topOf(folder: string): string {
  for (let path = folder; ; path = dirname(path))
    if (existsSync(join(path, '.git')) || path === dirname(path)) return path
}
