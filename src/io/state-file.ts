import { join } from 'node:path'

/** The part of the environment that names folders: the person's home, and the folder for programs' state. */
export interface Outside {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The path of a file or folder of cortext in this person's state folder (by default `~/.local/state`). */
export function stateFile({ home, env }: Outside, name: string): string {
  return join(env.XDG_STATE_HOME || join(home, '.local', 'state'), 'cortext', name)
}
