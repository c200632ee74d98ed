import type { Environment } from '../../io/environment.ts'

/** Whether the terminal cannot move its cursor, or a screen reader reads its text aloud. */
export function isPlain({ env }: Environment): boolean {
  return env.TERM === 'dumb' || (env.ACCESSIBLE ?? '') !== ''
}
