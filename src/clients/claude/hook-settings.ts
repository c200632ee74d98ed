import { hookCommand, type UnknownSession } from '../shared/setup/hook-command.ts'
import { addHookEntries, removeHookEntries } from '../shared/setup/hook-entries.ts'

type Settings = Record<string, unknown>

/**
 * A hook's environment names the session that the hook runs for, even if the client was started inside another client
 * (2.1.197, 2.1.330).
 */
const skipWhenUnknown: UnknownSession = { folder: 'CLAUDE_PROJECT_DIR', id: 'CLAUDE_CODE_SESSION_ID' }

/**
 * At these two events our hook runs only if the pattern matches: at SessionStart the kind of start, at
 * UserPromptExpansion the name of the command.
 */
export const MATCHERS = {
  // At a plain start our hook has nothing to do, and would only delay the start. Every other start continues a session,
  // except `clear`, after which a new session may continue the conversation. The other starts are listed by name: Codex
  // CLI can copy these hooks, and it would warn of a look-around in a pattern whenever it starts.
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
    // The hook is not async: an async hook is cut off at the end of `claude -p` (observed).
    Stop: hookCommand('claude', { skipWhenUnknown }),
    SessionEnd: hookCommand('claude', { skipWhenUnknown }),
  },
  matchers: MATCHERS,
  // The timeout is in seconds. Our SessionEnd hook has no timeout, because the client would wait for the hook that
  // long. Without one the client waits at most 1.5 s.
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
