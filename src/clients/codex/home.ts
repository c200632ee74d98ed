import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'

/** The folder in which Codex CLI keeps its settings and its threads. */
export function codexHome({ env, home }: Environment): string {
  return env.CODEX_HOME || join(home, '.codex')
}
