import { hookCommand, type UnknownSession } from '../setup/hook-command.ts'
import { addHookEntries, removeHookEntries } from '../setup/hook-entries.ts'

type Settings = Record<string, unknown>

/** A hook's environment names the session that it runs for, whatever it was started in (2.1.197, 2.1.330). */
const unless: UnknownSession = { folder: 'CLAUDE_PROJECT_DIR', id: 'CLAUDE_CODE_SESSION_ID' }

/** Which of an event's kinds our hooks run for. */
export const MATCHERS = {
  // A plain start has nothing to tell, and a hook there holds it up; others go on with something.
  SessionStart: '^(?!startup$)',
  // Of the commands that a person types, ours.
  UserPromptExpansion: 'workspace\\.',
}

const HOOKS = {
  client: 'claude',
  name: 'Claude Code',
  files: '.claude/settings.json or .claude/settings.local.json',
  commands: {
    SessionStart: hookCommand('claude', { tells: ['missing', 'failing'], unless }),
    UserPromptExpansion: hookCommand('claude', { tells: ['missing', 'failing'] }),
    UserPromptSubmit: hookCommand('claude', { unless }),
    // Not async: at the end of `claude -p` an async hook is cut off (observed).
    Stop: hookCommand('claude', { unless }),
    SessionEnd: hookCommand('claude', { unless }),
  },
  matchers: MATCHERS,
  // Seconds. With one at the end of a session the client would wait for it as long; without, it goes after 1.5 s.
  extra: (event: string) => (event === 'SessionEnd' ? {} : { timeout: 20 }),
}

export function settingsFile(shared: boolean): string {
  return shared ? '.claude/settings.json' : '.claude/settings.local.json'
}

/** See `addHookEntries`. */
export function addHooks(settings: Settings): Settings {
  return addHookEntries(settings, HOOKS)
}

/** `removeHooks(addHooks(s))` is `s`. */
export function removeHooks(settings: Settings): Settings {
  return removeHookEntries(settings, HOOKS.client)
}
