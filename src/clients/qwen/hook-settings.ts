import { addHookEntries, inEveryFolder, removeHookEntries } from '../shared/setup/hook-entries.ts'

type Settings = Record<string, unknown>

/** The project's settings file. In Qwen Code a project has no settings file that belongs only to one person. */
export const SETTINGS_FILE = '.qwen/settings.json'

/** At its start the client writes this version into a settings file that has none (0.24.4). */
export const settingsBlank: Settings = { $version: 4 }

/**
 * The client gives these lines to bash, on Windows to cmd; they mean the same in both. A hook that exits with 2 would
 * block the prompt. The client shows what a hook writes to stderr, such as `cortext: command not found`, unless the hook
 * also gives an answer. It shall say so when a session is taken up again, so only the other hooks give one, which is
 * empty. Timeouts are in seconds.
 */
const LINE = 'cortext hook qwen || exit 0'
const QUIET_LINE = 'cortext hook qwen || echo {}'

const hook = (command: string, timeout = 20) => ({ name: 'cortext', command, timeout })

const HOOKS = {
  client: 'qwen',
  name: 'Qwen Code',
  files: SETTINGS_FILE,
  hooks: {
    SessionStart: hook(LINE),
    UserPromptSubmit: hook(QUIET_LINE),
    // It runs in a terminal only, where the client would ask the person (0.24.4).
    PermissionRequest: hook(QUIET_LINE, 5),
    Stop: hook(QUIET_LINE),
    // A turn that failed, for example at the limit of use.
    StopFailure: hook(QUIET_LINE),
    // It does not run without a terminal (0.24.4).
    SessionEnd: hook(QUIET_LINE, 5),
  },
  // At a plain start our hook has nothing to do and would only delay the client.
  matchers: { SessionStart: 'resume|clear|compact', PermissionRequest: 'run_shell_command' },
}

/** Adds our hooks to the settings; see `addHookEntries`. Throws `refused`. */
export function addHooks(settings: Settings): Settings {
  return addHookEntries(settings, HOOKS)
}

/** The same for the person's own settings. */
export function addPersonalHooks(settings: Settings): Settings {
  return addHookEntries(settings, inEveryFolder(HOOKS, '~/.qwen/settings.json'))
}

/** Removes our hooks: `removeHooks(addHooks(s))` is `s` without any hooks of ours. */
export function removeHooks(settings: Settings): Settings {
  return removeHookEntries(settings, HOOKS.client)
}
