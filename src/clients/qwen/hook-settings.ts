import { addHookEntries, removeHookEntries } from '../shared/setup/hook-entries.ts'

type Settings = Record<string, unknown>

/** The project's settings file. In Qwen Code a project has no settings file that belongs only to one person. */
export const SETTINGS_FILE = '.qwen/settings.json'

/** At its start the client writes this version into a settings file that has none (0.24.4). */
export const settingsBlank: Settings = { $version: 4 }

/**
 * The client gives this line to bash, on Windows to its shell there. A hook that exits with 2 would block the prompt;
 * any other failure, such as 127 for a missing program, lets the turn go on, and nothing is shown. Timeouts are in
 * seconds.
 */
const HOOK = { name: 'cortext', command: 'cortext hook qwen', timeout: 20 }

const HOOKS = {
  client: 'qwen',
  name: 'Qwen Code',
  files: SETTINGS_FILE,
  hooks: {
    SessionStart: HOOK,
    UserPromptSubmit: HOOK,
    Stop: HOOK,
    // A turn that failed, for example at the limit of use.
    StopFailure: HOOK,
    // It does not run without a terminal (0.24.4).
    SessionEnd: { ...HOOK, timeout: 5 },
  },
  // At a plain start our hook has nothing to do and would only delay the client.
  matchers: { SessionStart: 'resume|clear|compact' },
}

/** Adds our hooks to the settings; see `addHookEntries`. Throws `refused`. */
export function addHooks(settings: Settings): Settings {
  return addHookEntries(settings, HOOKS)
}

/** Removes our hooks: `removeHooks(addHooks(s))` is `s` without any hooks of ours. */
export function removeHooks(settings: Settings): Settings {
  return removeHookEntries(settings, HOOKS.client)
}
