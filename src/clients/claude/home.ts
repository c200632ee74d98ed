import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'

/** Claude Code's own folder, `~/.claude`. */
export function ownFolder({ env, home }: Environment): string {
  return env.CLAUDE_CONFIG_DIR || join(home, '.claude')
}
