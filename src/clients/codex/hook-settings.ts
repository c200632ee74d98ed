import { hookCommand, type UnknownSession } from '../shared/setup/hook-command.ts'
import { addHookEntries, removeHookEntries } from '../shared/setup/hook-entries.ts'

type Settings = Record<string, unknown>

/**
 * No variable of a hook's environment names the session, but the hook's payload does. A hook runs in the session's
 * folder.
 */
const skipWhenUnknown: UnknownSession = {
  folder: 'PWD',
  id: '',
  payload: { id: 'session_id', ourPrefix: '$workspace' },
}

/**
 * The client trusts each hook by a hash of its entry. A change to one of these entries makes the client ask every
 * person again, so do not change them without need.
 */
const HOOKS = {
  client: 'codex',
  name: 'Codex CLI',
  files: '.codex/hooks.json',
  commands: {
    SessionStart: hookCommand('codex', { reports: ['missing', 'failing'], skipWhenUnknown }),
    UserPromptSubmit: hookCommand('codex', {
      reports: ['missing', 'failing'],
      reportsOnce: { folder: 'PWD' },
      skipWhenUnknown,
    }),
    Stop: hookCommand('codex', { skipWhenUnknown }),
    SessionEnd: hookCommand('codex', { skipWhenUnknown }),
  },
  // Our hook has nothing to do at a plain start. The client's patterns have no look-around, so we name the other kinds
  // of start.
  matchers: { SessionStart: 'resume|fork|clear|compact' },
  // The timeout is in seconds; the client gives SessionEnd at most 3 seconds. `additionalContextLimit: 0` means no
  // limit; by default the client cuts our context at 2,500 tokens.
  extra: (event: string) => ({
    timeout: event === 'SessionEnd' ? 3 : 20,
    ...(event === 'SessionStart' || event === 'UserPromptSubmit' ? { additionalContextLimit: 0 } : {}),
  }),
}

/** In Codex CLI a project has no hooks that belong only to one person. */
export function settingsFile(_shared: boolean): string {
  return '.codex/hooks.json'
}

/** Adds our hooks to the file; see `addHookEntries`. Throws `refused`. */
export function addHooks(settings: Settings): Settings {
  return addHookEntries(removeHooks(settings), HOOKS)
}

/**
 * Removes our hooks: `removeHooks(addHooks(s))` is `s` without any hooks of ours. Our hooks for other clients are
 * removed from the file too: they are copies that Codex CLI's `/import` made.
 */
export function removeHooks(settings: Settings): Settings {
  return removeHookEntries(settings, ANY_CLIENT)
}

const ANY_CLIENT = ''
