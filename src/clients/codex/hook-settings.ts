import { hookCommand, type UnknownSession } from '../shared/setup/hook-command.ts'
import { addHookEntries, removeHookEntries } from '../shared/setup/hook-entries.ts'

type Settings = Record<string, unknown>

/** No variable of a hook's environment names its session; the payload does, and a hook runs in the session's folder. */
const skipWhenUnknown: UnknownSession = {
  folder: 'PWD',
  id: '',
  payload: { id: 'session_id', ourPrefix: '$workspace' },
}

/**
 * The client trusts each hook as it is, by a hash of its entry. Whoever changes one of these lines makes every person
 * be asked again, so they change only when they must.
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
  // A plain start has nothing to tell. The client knows no look-around, so the others are listed.
  matchers: { SessionStart: 'resume|fork|clear|compact' },
  // In seconds; the client gives the end of a session 3 at most. Without a limit of 0 it cuts what is told to the model
  // at 2,500 tokens.
  extra: (event: string) => ({
    timeout: event === 'SessionEnd' ? 3 : 20,
    ...(event === 'SessionStart' || event === 'UserPromptSubmit' ? { additionalContextLimit: 0 } : {}),
  }),
}

/** In Codex CLI a project has no hooks that belong to one person alone. */
export function settingsFile(_shared: boolean): string {
  return '.codex/hooks.json'
}

/** Adds our hooks to the file; see `addHookEntries`. Throws `refused`. */
export function addHooks(settings: Settings): Settings {
  return addHookEntries(removeHooks(settings), HOOKS)
}

/**
 * Removes our hooks: `removeHooks(addHooks(s))` is `s`. Those of other clients go too: they are copies that the client's
 * `/import` has made.
 */
export function removeHooks(settings: Settings): Settings {
  return removeHookEntries(settings, ANY_CLIENT)
}

const ANY_CLIENT = ''
