import { isDeepStrictEqual } from 'node:util'
import { hookCommand, type UnknownSession } from '../shared/setup/hook-command.ts'
import { addHookEntries, removeHookEntries } from '../shared/setup/hook-entries.ts'
import { isObject } from '../shared/transcript/fields.ts'
import { POLICY } from './policy.ts'

type Settings = Record<string, unknown>

/** This shell comment remembers that we turned off the client's own deleting of sessions. */
const KEEPS_SESSIONS = ' # sessionRetention is ours'
const KEPT = { enabled: false }

/**
 * Where any path is named, the client no longer reads the person's own policies from their usual place (0.61.0). So this
 * place is named too, first, for their rules to go before ours. The client puts the home for `~`.
 */
const THEIR_POLICIES = '~/.gemini/policies'

/** These shell comments remember what there was before our paths. */
const NO_PATHS = ' # policyPaths is ours'
const EMPTY_PATHS = ' # policyPaths was []'

/** The session start hook may be left to the shell. The other hooks have to note how far the session has come. */
const skipWhenUnknown: UnknownSession = {
  folder: 'GEMINI_PROJECT_DIR',
  id: 'GEMINI_SESSION_ID',
  notesOpenSession: true,
}

const HOOKS = {
  client: 'gemini',
  name: 'Gemini CLI',
  files: '.gemini/settings.json',
  // The client shows the name while a hook runs. The timeout is in milliseconds. A terminal client that ends runs this
  // hook three times, one after the other, and waits for each (0.61.0).
  extra: (event: string) => ({ name: 'cortext', timeout: event === 'SessionEnd' ? 5_000 : 20_000 }),
}

/** The settings file. In Gemini CLI a project has no settings file that belongs to one person alone. */
export function settingsFile(_shared: boolean): string {
  return '.gemini/settings.json'
}

/**
 * Adds our hooks, and turns the client's own deleting of sessions off: with it on, a resume in a later minute makes the
 * next start delete the session (0.61.0). A person's own setting for this stays, and in `shared` settings it is left to
 * each person. Throws `refused`.
 */
export function addHooks(settings: Settings, shared = false): Settings {
  const bare = removeHooks(settings)
  const general = isObject(bare.general) ? bare.general : {}
  const ours =
    !shared &&
    general.sessionRetention === undefined &&
    (bare.general === undefined || isObject(bare.general))
  const { paths, mark } = withPolicy(bare.policyPaths)
  const commands = {
    SessionStart:
      hookCommand('gemini', { reports: ['missing'], skipWhenUnknown }) + (ours ? KEEPS_SESSIONS : '') + mark,
    BeforeAgent: hookCommand('gemini', { reports: ['failing'], reportsOnce: skipWhenUnknown }),
    AfterAgent: hookCommand('gemini'),
    SessionEnd: hookCommand('gemini'),
  }
  return {
    ...addHookEntries(bare, { ...HOOKS, commands }),
    ...(ours ? { general: { ...general, sessionRetention: KEPT } } : {}),
    ...(paths === undefined ? {} : { policyPaths: paths }),
  }
}

/** The list with our policy in it. Undefined for a value that is no list: it stays, and our calls are asked about. */
function withPolicy(paths: unknown): { paths?: unknown[]; mark: string } {
  if (paths === undefined) return { paths: [THEIR_POLICIES, POLICY], mark: NO_PATHS }
  if (!Array.isArray(paths)) return { mark: '' }
  if (paths.length === 0) return { paths: [THEIR_POLICIES, POLICY], mark: EMPTY_PATHS }
  return { paths: [...paths, POLICY], mark: '' }
}

/** Removes our entries, and the containers that they leave empty. */
export function removeHooks(settings: Settings): Settings {
  const marks = JSON.stringify(settings.hooks ?? '')
  const ours = marks.includes(KEEPS_SESSIONS)
  const bare = withoutPolicy(removeHookEntries(settings, HOOKS.client), marks)
  return ours ? withoutRetention(bare) : bare
}

/** A version before this one named our policy alone. What the person has added to the list since stays, and theirs. */
function withoutPolicy(settings: Settings, marks: string): Settings {
  const { policyPaths, ...rest } = settings
  if (!Array.isArray(policyPaths) || !policyPaths.includes(POLICY)) return settings
  const left = policyPaths.filter((path) => path !== POLICY)
  if (marks.includes(EMPTY_PATHS) && isDeepStrictEqual(left, [THEIR_POLICIES]))
    return { ...settings, policyPaths: [] }
  const none = left.length === 0 || (marks.includes(NO_PATHS) && isDeepStrictEqual(left, [THEIR_POLICIES]))
  return none ? rest : { ...settings, policyPaths: left }
}

function withoutRetention(settings: Settings): Settings {
  const { general, ...rest } = settings
  if (!isObject(general) || !isDeepStrictEqual(general.sessionRetention, KEPT)) return settings
  const { sessionRetention: _, ...others } = general
  return Object.keys(others).length === 0 ? rest : { ...settings, general: others }
}
