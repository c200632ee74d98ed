import { addHookEntries, inEveryFolder, removeHookEntries } from '../shared/setup/hook-entries.ts'

type Settings = Record<string, unknown>

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

/**
 * The exec form: the client starts the program itself, without a shell, so it is the same on every system. Known since
 * 2.1.139. If the program is missing or fails, the client says so and goes on (2.1.197, 2.1.330).
 */
const HOOK = { command: 'cortext', args: ['hook', 'claude'], timeout: 20 }

const HOOKS = {
  client: 'claude',
  name: 'Claude Code',
  files: '.claude/settings.local.json',
  hooks: {
    SessionStart: HOOK,
    UserPromptExpansion: HOOK,
    UserPromptSubmit: HOOK,
    // The hook is not async: at its end `claude -p` stops an async hook that still runs (observed).
    Stop: HOOK,
    // A turn that failed, for example at the limit of use. The client shows nothing of what this hook says.
    StopFailure: HOOK,
    // Without a timeout the client waits at most 1.5 s; otherwise it would wait as long as the timeout says.
    SessionEnd: { command: HOOK.command, args: HOOK.args },
  },
  matchers: MATCHERS,
}

export const SETTINGS_FILE = '.claude/settings.local.json'

/** Adds our hooks to the settings; see `addHookEntries`. Throws `refused`. */
export function addHooks(settings: Settings): Settings {
  return addHookEntries(settings, HOOKS)
}

/** The same for the person's own settings. */
export function addPersonalHooks(settings: Settings): Settings {
  return addHookEntries(settings, inEveryFolder(HOOKS, '~/.claude/settings.json'))
}

/** Removes our hooks: `removeHooks(addHooks(s))` is `s` without any hooks of ours. */
export function removeHooks(settings: Settings): Settings {
  return removeHookEntries(settings, HOOKS.client)
}
