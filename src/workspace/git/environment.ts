import type { Environment } from '../../io/environment.ts'

/** Who writes and when: the only variables of git that are the person's own and not those of a program around us. */
const IDENTITY = new Set(['AUTHOR', 'COMMITTER'].flatMap((who) => variables(who, ['NAME', 'EMAIL', 'DATE'])))

/** Programs that could ask something or page something: we never want either. */
const INTERACTIVE = new Set(['EDITOR', 'VISUAL', 'PAGER', 'SSH_ASKPASS', 'GPG_TTY'])

/**
 * The environment for our own git. A client around us may have injected its own (Gemini CLI 0.35 sets
 * GIT_CONFIG_GLOBAL, GIT_CONFIG_NOSYSTEM and eight GIT_CONFIG_KEY_n, which hide the person's identity and
 * hooks), and a git hook around us sets GIT_DIR and GIT_INDEX_FILE. All of these go; author and committer stay.
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
 * For a git that runs hooks and signs: nothing may stop and ask. Without a display a pin entry program fails at
 * once, where it would otherwise wait for a person who is not looking.
 */
export function unattendedEnvironment(env: Environment['env']): Record<string, string> {
  const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ...clean } = gitEnvironment(env)
  return { ...clean, GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: ':', SSH_ASKPASS_REQUIRE: 'never' }
}

function variables(who: string, what: string[]): string[] {
  return what.map((name) => `GIT_${who}_${name}`)
}
