import { isAbsolute, join } from 'node:path'

/** The part of the environment that names folders: the person's home, and the folder for programs' state. */
export interface Outside {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The path of a file or folder of cortext in this person's state folder (by default `~/.local/state`). */
export function stateFile({ home, env }: Outside, name: string): string {
  const { XDG_STATE_HOME: state = '' } = env
  // The specification says to ignore a relative path. One would lead into the workspace, which may be a clone.
  return join(isAbsolute(state) ? state : join(home, '.local', 'state'), 'cortext', name)
}
