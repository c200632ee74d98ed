import type { Environment } from '../../io/environment.ts'

/**
 * Every git that this program runs gets these settings in front of its command, and a clean environment. The only
 * exception is a check in repository.ts.
 */

/**
 * Puts our settings in front of git's command. The repository may come from a stranger, as an archive or as a folder in
 * the work tree. So git runs no file watcher and no pager, and accepts a repository only as a `.git` at or above the
 * folder. Every command but `commit` also runs no hooks, fetches nothing, and checks no signatures for a log. Filters
 * and signing stay as they are.
 *
 * The person's hooks run in a commit and inherit its settings. So a commit gets only settings that disturb no hook.
 */
export function withOwnSettings(args: readonly string[]): string[] {
  const command = commandIn(args)
  const settings = [
    ...ALWAYS,
    ...(command === 'commit' ? [] : ['protocol.allow=never', 'log.showSignature=false']),
    ...(NETWORK.has(command ?? '') ? WITH_A_PLACE : []),
    // `rev-parse` runs no hooks, and must report the folder of the person's hooks.
    ...(command === 'commit' || command === 'rev-parse' ? [] : ['core.hooksPath=/dev/null']),
  ]
  return ['--no-pager', ...settings.flatMap((setting) => ['-c', setting]), ...args]
}

/** The commands that talk to a place of `cortext sync`, the only ones that reach a network. */
const NETWORK = new Set(['fetch', 'push', 'ls-remote'])

/** What comes from a place is checked, names no further program, and asks for nothing else. */
const WITH_A_PLACE = [
  ...'file ssh http https'.split(' ').map((protocol) => `protocol.${protocol}.allow=always`),
  'transfer.fsckObjects=true',
  'transfer.credentialsInUrl=die',
  'fetch.recurseSubmodules=false',
  'push.recurseSubmodules=no',
  'push.gpgSign=false',
  'credential.interactive=false',
  'gc.auto=0',
  // What comes in few objects is kept as it came too: git would unpack each to its full size.
  'fetch.unpackLimit=1',
]

const ALWAYS = ['core.fsmonitor=false', 'safe.bareRepository=explicit']

/** Git's command: the first word after the settings. */
export function commandIn(args: readonly string[]): string | undefined {
  let index = 0
  while (args[index] === '-c') index += 2
  return args[index]
}

/** Whether this git command writes. */
export function isWriting(args: readonly string[]): boolean {
  return WRITES.has(commandIn(args) ?? '')
}

const WRITES = new Set(['add', 'commit', 'init', 'update-index'])

/**
 * The environment of a git that this program runs. A command that only reads takes no lock, so it never blocks a git
 * that writes; it also fetches nothing. A command that writes may run hooks and sign, and must not ask the person. So
 * git gets no display. Without a display, a program that asks for a PIN fails at once; with one, it would wait for a
 * person who does not see it.
 */
export function environmentFor(args: readonly string[], env: Environment['env']): Record<string, string> {
  const { DISPLAY, WAYLAND_DISPLAY, ...clean } = gitEnvironment(env)
  if (NETWORK.has(commandIn(args) ?? '')) return { ...clean, ...connection(env), ...ASKS_NOBODY }
  return isWriting(args)
    ? { ...clean, ...ASKS_NOBODY }
    : { ...clean, GIT_OPTIONAL_LOCKS: '0', ...FETCHES_NOTHING }
}

/**
 * Git fetches a missing object from where the configuration says, with a program that this names. Before 2.45 it only
 * knows the second variable.
 */
export const FETCHES_NOTHING = { GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none' }

/**
 * The variables of a git in a repository of ours. What a place has sent may be a few kilobytes that take many gigabytes
 * of memory, so git fails at what is larger than this: an object, and the list of what a commit changes.
 */
export function ownVariables(root: string, args: readonly string[]): Record<string, string> {
  const most = MOST_AT_ONCE[commandIn(args) ?? '']
  return { GIT_DIR: root, GIT_DEFAULT_HASH: 'sha1', ...(most !== undefined && { GIT_ALLOC_LIMIT: most }) }
}

const MOST_AT_ONCE: Record<string, string> = { fetch: '512m', 'index-pack': '512m', 'diff-tree': '4m' }

const ASKS_NOBODY = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: ':',
  SSH_ASKPASS_REQUIRE: 'never',
  // The credential manager of Git for Windows would open a window.
  GCM_INTERACTIVE: 'never',
}

/** The variables with which a person says how git reaches a server by ssh. */
function connection(env: Environment['env']): Record<string, string> {
  const names = ['GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_SSH_VARIANT']
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}

/**
 * Leaves out the variables that change git, and those that let a program ask the person or show pages. The program that
 * runs cortext may have set them: Gemini CLI 0.35 sets GIT_CONFIG_GLOBAL, GIT_CONFIG_NOSYSTEM and eight
 * GIT_CONFIG_KEY_n, which hide the person's identity and hooks; git sets GIT_DIR and GIT_INDEX_FILE for its hooks.
 * Author and committer stay.
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

/** Author, committer and their dates: these variables of git are the person's own. */
const IDENTITY = new Set(
  ['AUTHOR', 'COMMITTER'].flatMap((who) => ['NAME', 'EMAIL', 'DATE'].map((field) => `GIT_${who}_${field}`)),
)

/** Variables that name a program for asking the person or for showing pages, or the terminal for asking. */
const INTERACTIVE = new Set(['EDITOR', 'VISUAL', 'PAGER', 'SSH_ASKPASS', 'GPG_TTY'])

/** `git log` of all changes of files, one name after the other, whatever the person's settings say. */
export const ALL_CHANGES = [
  ...['-c', 'log.showRoot=true', '-c', 'log.diffMerges=separate', 'log', '-z', '--format=', '--relative'],
  ...['--no-renames', '--full-history', '-m', '--no-ext-diff', '--no-textconv'],
]

/** The command that lists the files at these paths of which a version contains a text (`namesListed`). */
export function filesWithText(text: string, which: string, paths: readonly string[]): string[] {
  return [...ALL_CHANGES, '--name-only', `-S${text}`, which, '--', ...paths]
}

/** The names that it has listed, once each. */
export function namesListed(output: string): string[] {
  return [...new Set(output.split('\0').filter(Boolean))].sort()
}
