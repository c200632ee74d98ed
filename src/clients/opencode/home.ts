import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'

/** The folder of the person's settings of OpenCode, `~/.config/opencode`. */
export function configFolder({ env, home }: Environment): string {
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode')
}
