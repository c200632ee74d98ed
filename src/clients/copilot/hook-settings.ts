import { addHookEntries, inEveryFolder, removeHookEntries } from '../shared/setup/hook-entries.ts'
import { SHOWN } from './hook-events.ts'

type Settings = Record<string, unknown>

/**
 * The client gives these lines to a shell. A hook of PreToolUse that fails, such as a missing program, would refuse the
 * tool, so it never fails. Another hook that exits with 2 shows its stderr to the person; the turn goes on (1.0.102).
 */
const LINE = 'cortext hook copilot'
const NEVER_FAILS = `${LINE} || exit 0`
const MAY_SHOW = `${LINE}; [ $? -ne ${SHOWN} ] || exit 2`

const HOOKS = {
  client: 'copilot',
  name: 'Copilot CLI',
  files: '.github/hooks/cortext.json',
  // The timeout is in seconds. There is no hook of SessionStart: the client runs it at the first prompt, perhaps after the
  // hook of that prompt.
  hooks: {
    UserPromptSubmit: { command: MAY_SHOW, timeout: 20 },
    PreToolUse: { command: NEVER_FAILS, timeout: 5 },
    Stop: { command: MAY_SHOW, timeout: 20 },
    SessionEnd: { command: MAY_SHOW, timeout: 5 },
  },
  // The name that hooks of this form get for the shell, whatever the client calls it.
  matchers: { PreToolUse: 'Bash|PowerShell' },
}

/** The client reads every file of this folder, so ours contains nothing else. It has no file for one person's hooks. */
export const SETTINGS_FILE = HOOKS.files

/** Adds our hooks to the file; see `addHookEntries`. Throws `refused`. */
export function addHooks(settings: Settings): Settings {
  return addHookEntries(settings, HOOKS)
}

/** The same for the person's own hooks. */
export function addPersonalHooks(settings: Settings): Settings {
  return addHookEntries(settings, inEveryFolder(HOOKS, '~/.copilot/hooks/cortext.json'))
}

/** Removes our hooks: `removeHooks(addHooks(s))` is `s` without any hooks of ours. */
export function removeHooks(settings: Settings): Settings {
  return removeHookEntries(settings, HOOKS.client)
}
