import type { Environment } from '../../io/environment.ts'

/** Whether the terminal cannot move its cursor, or the person hears it read. */
export function isPlain({ env }: Environment): boolean {
  return env.TERM === 'dumb' || (env.ACCESSIBLE ?? '') !== ''
}
