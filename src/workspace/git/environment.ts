import type { Environment } from '../../io/environment.ts'

/** Who writes and when. Of git's variables only these are the person's own; others come from a program around us. */
const IDENTITY = new Set(['AUTHOR', 'COMMITTER'].flatMap((who) => variables(who, ['NAME', 'EMAIL', 'DATE'])))

/** Programs that could ask or page. Both must never happen. */
const INTERACTIVE = new Set(['EDITOR', 'VISUAL', 'PAGER', 'SSH_ASKPASS', 'GPG_TTY'])

/**
 * The environment for our own git. A client around us may have added its own variables: Gemini CLI 0.35 sets
 * GIT_CONFIG_GLOBAL, GIT_CONFIG_NOSYSTEM and eight GIT_CONFIG_KEY_n, which hide the person's identity and hooks. A git
 * hook around us sets GIT_DIR and GIT_INDEX_FILE. All of these are removed; author and committer stay.
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

/**
 * The environment for a git that runs hooks and signs, where nothing may stop and ask. Without a display a pin entry
 * program fails at once; with one it would wait for a person who is not looking.
 */
export function unattendedEnvironment(env: Environment['env']): Record<string, string> {
  const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ...clean } = gitEnvironment(env)
  return { ...clean, GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: ':', SSH_ASKPASS_REQUIRE: 'never' }
}

function variables(who: string, what: string[]): string[] {
  return what.map((name) => `GIT_${who}_${name}`)
}
