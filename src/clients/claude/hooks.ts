import { addHookEntries, hookCommand, removeHookEntries } from '../hook-entries.ts'

type Settings = Record<string, unknown>

const HOOKS = {
  client: 'claude',
  name: 'Claude Code',
  files: '.claude/settings.json or .claude/settings.local.json',
  commands: {
    SessionStart: hookCommand('claude', true),
    UserPromptExpansion: hookCommand('claude'),
    UserPromptSubmit: hookCommand('claude'),
    // Not async: at the end of `claude -p` an async hook is cut off (observed).
    Stop: hookCommand('claude'),
    SessionEnd: hookCommand('claude'),
  },
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
