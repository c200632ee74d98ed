import { join } from 'node:path'

/** The part of the outside that names folders: the person's home, and the one for programs' state. */
export interface Outside {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** A file or folder of ours where this person's programs keep their state. */
export function stateFile({ home, env }: Outside, name: string): string {
  return join(env.XDG_STATE_HOME || join(home, '.local', 'state'), 'cortext', name)
}
