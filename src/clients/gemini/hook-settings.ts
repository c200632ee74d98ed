import { isDeepStrictEqual } from 'node:util'
import { hookCommand, type UnknownSession } from '../setup/hook-command.ts'
import { addHookEntries, removeHookEntries } from '../setup/hook-entries.ts'
import { isObject } from '../transcript/fields.ts'
import { POLICY } from './policy.ts'

type Settings = Record<string, unknown>

/** A shell comment that remembers who turned the client's own deleting of sessions off. */
const KEEPS_SESSIONS = ' # sessionRetention is ours'
const KEPT = { enabled: false }

/** The other hooks note how far the session has come: that is theirs to do. */
const unless: UnknownSession = { folder: 'GEMINI_PROJECT_DIR', id: 'GEMINI_SESSION_ID', notesHost: true }

const HOOKS = {
  client: 'gemini',
  name: 'Gemini CLI',
  files: '.gemini/settings.json',
  // The client shows the name while a hook runs. Milliseconds; it waits three times at its end.
  extra: (event: string) => ({ name: 'cortext', timeout: event === 'SessionEnd' ? 5_000 : 20_000 }),
}

/** Gemini CLI has no settings file of a project that is one person's alone. */
export function settingsFile(_shared: boolean): string {
  return '.gemini/settings.json'
}

/**
 * The settings with our hooks, our policy file, and sessions kept: with the client's own tidying on, resuming a
 * session in a later minute makes the next start delete it (0.61.0). What a person says of it themselves stays.
 */
export function addHooks(settings: Settings): Settings {
  const bare = removeHooks(settings)
  const general = isObject(bare.general) ? bare.general : {}
  const ours =
    general.sessionRetention === undefined && (bare.general === undefined || isObject(bare.general))
  const commands = {
    SessionStart: hookCommand('gemini', { tells: ['missing'], unless }) + (ours ? KEEPS_SESSIONS : ''),
    BeforeAgent: hookCommand('gemini', { tells: ['failing'], tellsOnce: unless }),
    AfterAgent: hookCommand('gemini'),
    SessionEnd: hookCommand('gemini'),
  }
  const policies = Array.isArray(bare.policyPaths) ? bare.policyPaths : []
  return {
    ...addHookEntries(bare, { ...HOOKS, commands }),
    ...(ours ? { general: { ...general, sessionRetention: KEPT } } : {}),
    policyPaths: [...policies, POLICY],
  }
}

/** The settings without our entries, and without the containers that they leave empty. */
export function removeHooks(settings: Settings): Settings {
  const ours = JSON.stringify(settings.hooks ?? '').includes(KEEPS_SESSIONS)
  const bare = withoutPolicy(removeHookEntries(settings, HOOKS.client))
  return ours ? withoutRetention(bare) : bare
}

function withoutPolicy(settings: Settings): Settings {
  const { policyPaths, ...rest } = settings
  if (!Array.isArray(policyPaths) || !policyPaths.includes(POLICY)) return settings
  const left = policyPaths.filter((path) => path !== POLICY)
  return left.length === 0 ? rest : { ...settings, policyPaths: left }
}

function withoutRetention(settings: Settings): Settings {
  const { general, ...rest } = settings
  if (!isObject(general) || !isDeepStrictEqual(general.sessionRetention, KEPT)) return settings
  const { sessionRetention: _, ...others } = general
  return Object.keys(others).length === 0 ? rest : { ...settings, general: others }
}
