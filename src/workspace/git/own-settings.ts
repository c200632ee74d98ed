import type { Environment } from '../../io/environment.ts'

/**
 * Git gets our settings in front of its command, and a clean environment. Only one check in repository.ts runs git
 * without these.
 */

/**
 * The arguments with our settings in front of the command. A work tree may contain a repository that a stranger has put
 * there, and a repository may have come as an archive. So git runs no file watcher, no pager, and outside a commit no hook.
 * It accepts a repository only as a `.git` at or above the folder. Outside a commit it fetches nothing, and checks no
 * signatures for a log. Filters and signing stay.
 *
 * A commit runs the person's hooks, which inherit these settings. So a commit gets only those settings that disturb no
 * hook.
 */
export function withOwnSettings(args: readonly string[]): string[] {
  const command = commandIn(args)
  const settings = [
    ...ALWAYS,
    ...(command === 'commit' ? [] : ['protocol.allow=never', 'log.showSignature=false']),
    // `rev-parse` runs no hook, and reports the folder of the hooks.
    ...(command === 'commit' || command === 'rev-parse' ? [] : ['core.hooksPath=/dev/null']),
  ]
  return ['--no-pager', ...settings.flatMap((setting) => ['-c', setting]), ...args]
}

const ALWAYS = ['core.fsmonitor=false', 'safe.bareRepository=explicit']

/** The first word that does not belong to a setting. */
export function commandIn(args: readonly string[]): string | undefined {
  let index = 0
  while (args[index] === '-c') index += 2
  return args[index]
}

/** Whether this git command may write. All others only read. */
export function isWriting(args: readonly string[]): boolean {
  return WRITES.has(commandIn(args) ?? '')
}

const WRITES = new Set(['add', 'commit', 'init', 'update-index'])

/**
 * The environment for our own git. A command that only reads takes no lock, not even to refresh the index, so it never
 * blocks a git that writes, and it fetches nothing. A command that writes runs hooks and signs, and may not stop and
 * ask: without a display a pin entry program fails at once; with one it would wait for a person who is not looking.
 */
export function environmentFor(args: readonly string[], env: Environment['env']): Record<string, string> {
  const { DISPLAY, WAYLAND_DISPLAY, ...clean } = gitEnvironment(env)
  return isWriting(args)
    ? { ...clean, GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: ':', SSH_ASKPASS_REQUIRE: 'never' }
    : { ...clean, GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1' }
}

/**
 * The variables without those of git, which a program around us may have set, and without those that let a program ask
 * the person or show pages. Gemini CLI 0.35 sets GIT_CONFIG_GLOBAL, GIT_CONFIG_NOSYSTEM and eight GIT_CONFIG_KEY_n,
 * which hide the person's identity and hooks. A git hook around us sets GIT_DIR and GIT_INDEX_FILE. Author and
 * committer stay.
 */
export function gitEnvironment(env: Environment['env']): Record<string, string> {
  const clean: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    const upper = name.toUpperCase()
    const foreign = (upper.startsWith('GIT_') && !IDENTITY.has(upper)) || INTERACTIVE.has(upper)
    if (value !== undefined && !foreign) clean[name] = value
  }
  return clean
}

/** Author, committer and dates: the only variables of git that are the person's own. */
const IDENTITY = new Set(
  ['AUTHOR', 'COMMITTER'].flatMap((who) => ['NAME', 'EMAIL', 'DATE'].map((field) => `GIT_${who}_${field}`)),
)

/** Variables that name a program that asks the person or shows pages, or the terminal on which it asks. */
const INTERACTIVE = new Set(['EDITOR', 'VISUAL', 'PAGER', 'SSH_ASKPASS', 'GPG_TTY'])
