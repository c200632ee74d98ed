import { hookCommand, type UnknownSession } from '../shared/setup/hook-command.ts'
import { addHookEntries, removeHookEntries } from '../shared/setup/hook-entries.ts'

type Settings = Record<string, unknown>

/**
 * A hook's environment names the session that the hook runs for, even if the client was started inside another client
 * (2.1.197, 2.1.330).
 */
const skipWhenUnknown: UnknownSession = { folder: 'CLAUDE_PROJECT_DIR', id: 'CLAUDE_CODE_SESSION_ID' }

/**
 * At these two events our hook runs only if the pattern matches. The client compares it with the kind of start
 * (SessionStart) or with the command's name (UserPromptExpansion).
 */
export const MATCHERS = {
  // At a plain start (`startup`) our hook has nothing to do and would only delay the client. After `clear` a new
  // session may continue the conversation. We name the kinds of start, because Codex CLI can copy these hooks. At each
  // of its starts it would warn of a pattern such as `(?!startup)`.
  SessionStart: 'resume|fork|clear|compact',
  // Our hook runs only for our own commands, not for every command that a person types.
  UserPromptExpansion: 'workspace\\.',
}

const HOOKS = {
  client: 'claude',
  name: 'Claude Code',
  files: '.claude/settings.json or .claude/settings.local.json',
  commands: {
    SessionStart: hookCommand('claude', { reports: ['missing', 'failing'], skipWhenUnknown }),
    UserPromptExpansion: hookCommand('claude', { reports: ['missing', 'failing'] }),
    UserPromptSubmit: hookCommand('claude', { skipWhenUnknown }),
    // The hook is not async: at its end `claude -p` stops an async hook that still runs (observed).
    Stop: hookCommand('claude', { skipWhenUnknown }),
    SessionEnd: hookCommand('claude', { skipWhenUnknown }),
  },
  matchers: MATCHERS,
  // The timeout is in seconds. Our SessionEnd hook has none: the client would wait up to 20 s for the hook. Without a
  // timeout it waits at most 1.5 s.
  extra: (event: string) => (event === 'SessionEnd' ? {} : { timeout: 20 }),
}

export function settingsFile(shared: boolean): string {
  return shared ? '.claude/settings.json' : '.claude/settings.local.json'
}

/** Adds our hooks to the settings; see `addHookEntries`. Throws `refused`. */
export function addHooks(settings: Settings): Settings {
  return addHookEntries(settings, HOOKS)
}

/** Removes our hooks: `removeHooks(addHooks(s))` is `s` without any hooks of ours. */
export function removeHooks(settings: Settings): Settings {
  return removeHookEntries(settings, HOOKS.client)
}
