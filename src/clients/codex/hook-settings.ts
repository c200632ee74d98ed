import { addHookEntries, inEveryFolder, removeHookEntries } from '../shared/setup/hook-entries.ts'

type Settings = Record<string, unknown>

/**
 * The client gives this line to the person's shell (`$SHELL -lc`), on Windows to cmd. If cortext is missing or fails, it
 * shows "Hook failed". It shall say so once, so only the line of SessionStart can fail.
 */
const LINE = 'cortext hook codex'
const QUIET_LINE = `${LINE} || exit 0`

/** By default the client cuts our context at 2,500 tokens; 0 means no limit. */
const WHOLE = { additionalContextLimit: 0 }

/**
 * The client trusts each hook by a hash of its entry. A change to one of these entries makes the client ask every
 * person again, so do not change them without need.
 */
const HOOKS = {
  client: 'codex',
  name: 'Codex CLI',
  files: '.codex/hooks.json',
  // The timeout is in seconds; the client gives SessionEnd at most 3 seconds.
  hooks: {
    SessionStart: { command: LINE, timeout: 20, ...WHOLE },
    UserPromptSubmit: { command: QUIET_LINE, timeout: 20, ...WHOLE },
    Stop: { command: QUIET_LINE, timeout: 20 },
    SessionEnd: { command: QUIET_LINE, timeout: 3 },
  },
  // Our hook has nothing to do at a plain start. The client's patterns have no look-around, so we name the other kinds
  // of start.
  matchers: { SessionStart: 'resume|fork|clear|compact' },
}

/** In Codex CLI a project has no hooks that belong only to one person. */
export const SETTINGS_FILE = '.codex/hooks.json'

/** Adds our hooks to the file; see `addHookEntries`. Throws `refused`. */
export function addHooks(settings: Settings): Settings {
  return addHookEntries(removeHooks(settings), HOOKS)
}

/** The same for the person's own settings. */
export function addPersonalHooks(settings: Settings): Settings {
  return addHookEntries(removeHooks(settings), inEveryFolder(HOOKS, '~/.codex/hooks.json'))
}

/**
 * Removes our hooks: `removeHooks(addHooks(s))` is `s` without any hooks of ours. Our hooks for other clients are
 * removed from the file too: they are copies that Codex CLI's `/import` made.
 */
export function removeHooks(settings: Settings): Settings {
  return removeHookEntries(settings, ANY_CLIENT)
}

const ANY_CLIENT = ''
