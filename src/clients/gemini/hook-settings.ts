import { isDeepStrictEqual } from 'node:util'
import { hookCommand, type UnknownSession } from '../shared/setup/hook-command.ts'
import { addHookEntries, removeHookEntries } from '../shared/setup/hook-entries.ts'
import { isObject } from '../shared/transcript/fields.ts'
import { POLICY } from './policy.ts'

type Settings = Record<string, unknown>

/** This shell comment records that we turned off the client's own deletion of sessions. */
const RETENTION_MARK = ' # sessionRetention is ours'
const RETENTION_OFF = { enabled: false }

/**
 * Once `policyPaths` is set, the client ignores the person's own policy folder (0.61.0). So we list that folder too. It
 * comes before our file, so the person's rules take precedence. The client expands `~`.
 */
const THEIR_POLICIES = '~/.gemini/policies'

/** These shell comments record what `policyPaths` was before we changed it. */
const NO_PATHS_MARK = ' # policyPaths is ours'
const EMPTY_PATHS_MARK = ' # policyPaths was []'

/**
 * If the session belongs to no conversation, the shell itself ends the SessionStart hook. The other hooks always start
 * cortext, which notes how far the session has come.
 */
const skipWhenUnknown: UnknownSession = {
  folder: 'GEMINI_PROJECT_DIR',
  id: 'GEMINI_SESSION_ID',
  notesOpenSession: true,
}

const HOOKS = {
  client: 'gemini',
  name: 'Gemini CLI',
  files: '.gemini/settings.json',
  // The client shows the name while a hook runs. The timeout is in milliseconds. A client in a terminal runs the
  // SessionEnd hook three times, one after the other, and waits for each (0.61.0).
  extra: (event: string) => ({ name: 'cortext', timeout: event === 'SessionEnd' ? 5_000 : 20_000 }),
}

/** The settings file. In Gemini CLI a project has no settings file that belongs only to one person. */
export function settingsFile(_shared: boolean): string {
  return '.gemini/settings.json'
}

/**
 * Adds our hooks, and turns off the client's own deletion of sessions. Otherwise a resume in another minute than the
 * one in the file's name creates a second file of the session. The client would delete both files at its next start
 * (0.61.0). A person's own setting for this deletion stays. In `shared` settings we leave the choice to each person.
 * Throws `refused`.
 */
export function addHooks(settings: Settings, shared = false): Settings {
  const bare = removeHooks(settings)
  const general = isObject(bare.general) ? bare.general : {}
  const turnsRetentionOff =
    !shared &&
    general.sessionRetention === undefined &&
    (bare.general === undefined || isObject(bare.general))
  const { paths, mark } = withPolicy(bare.policyPaths)
  const commands = {
    SessionStart:
      hookCommand('gemini', { reports: ['missing'], skipWhenUnknown }) +
      (turnsRetentionOff ? RETENTION_MARK : '') +
      mark,
    BeforeAgent: hookCommand('gemini', { reports: ['failing'], reportsOnce: skipWhenUnknown }),
    AfterAgent: hookCommand('gemini'),
    SessionEnd: hookCommand('gemini'),
  }
  return {
    ...addHookEntries(bare, { ...HOOKS, commands }),
    ...(turnsRetentionOff ? { general: { ...general, sessionRetention: RETENTION_OFF } } : {}),
    ...(paths === undefined ? {} : { policyPaths: paths }),
  }
}

/**
 * The list of policies with ours in it, and the shell comment that records what the list was before. A value that is
 * not a list stays as it is. The client then asks about our calls.
 */
function withPolicy(paths: unknown): { paths?: unknown[]; mark: string } {
  if (paths === undefined) return { paths: [THEIR_POLICIES, POLICY], mark: NO_PATHS_MARK }
  if (!Array.isArray(paths)) return { mark: '' }
  if (paths.length === 0) return { paths: [THEIR_POLICIES, POLICY], mark: EMPTY_PATHS_MARK }
  return { paths: [...paths, POLICY], mark: '' }
}

/** Removes our entries, and the lists and objects that become empty. */
export function removeHooks(settings: Settings): Settings {
  const marks = JSON.stringify(settings.hooks ?? '')
  const bare = withoutPolicy(removeHookEntries(settings, HOOKS.client), marks)
  return marks.includes(RETENTION_MARK) ? withoutRetention(bare) : bare
}

/**
 * Removes our policy. Also removes the person's policy folder from the list, if we added it and nothing else is left.
 * Older versions of cortext added only our policy. Paths that the person has added stay.
 */
function withoutPolicy(settings: Settings, marks: string): Settings {
  const { policyPaths, ...rest } = settings
  if (!Array.isArray(policyPaths) || !policyPaths.includes(POLICY)) return settings
  const left = policyPaths.filter((path) => path !== POLICY)
  if (marks.includes(EMPTY_PATHS_MARK) && isDeepStrictEqual(left, [THEIR_POLICIES]))
    return { ...settings, policyPaths: [] }
  const isEmptyNow =
    left.length === 0 || (marks.includes(NO_PATHS_MARK) && isDeepStrictEqual(left, [THEIR_POLICIES]))
  return isEmptyNow ? rest : { ...settings, policyPaths: left }
}

function withoutRetention(settings: Settings): Settings {
  const { general, ...rest } = settings
  if (!isObject(general) || !isDeepStrictEqual(general.sessionRetention, RETENTION_OFF)) return settings
  const { sessionRetention: _, ...others } = general
  return Object.keys(others).length === 0 ? rest : { ...settings, general: others }
}
