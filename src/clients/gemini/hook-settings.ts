import { isDeepStrictEqual } from 'node:util'
import { hookCommand, type UnknownSession } from '../setup/hook-command.ts'
import { addHookEntries, removeHookEntries } from '../setup/hook-entries.ts'
import { isObject } from '../transcript/fields.ts'
import { POLICY } from './policy.ts'

type Settings = Record<string, unknown>

/** This shell comment remembers that we turned off the client's own deleting of sessions. */
const KEEPS_SESSIONS = ' # sessionRetention is ours'
const KEPT = { enabled: false }

/** The session start hook may be left to the shell. The other hooks have to note how far the session has come. */
const unless: UnknownSession = { folder: 'GEMINI_PROJECT_DIR', id: 'GEMINI_SESSION_ID', notesHost: true }

const HOOKS = {
  client: 'gemini',
  name: 'Gemini CLI',
  files: '.gemini/settings.json',
  // The client shows the name while a hook runs. The timeout is in milliseconds; a client that ends waits three times.
  extra: (event: string) => ({ name: 'cortext', timeout: event === 'SessionEnd' ? 5_000 : 20_000 }),
}

/** The settings file. In Gemini CLI a project has no settings file that belongs to one person alone. */
export function settingsFile(_shared: boolean): string {
  return '.gemini/settings.json'
}

/**
 * Adds our hooks, and turns the client's own deleting of sessions off: with it on, a resume in a later minute makes the
 * next start delete the session (0.61.0). A person's own setting for this stays. Throws `refused`.
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

/** Removes our entries, and the containers that they leave empty. */
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
