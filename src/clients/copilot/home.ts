import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'

/** Copilot CLI's own folder, `~/.copilot`. */
export function ownFolder(environment: Environment): string {
  return environment.env.COPILOT_HOME || join(environment.home, '.copilot')
}

/** The folder with all sessions, each in a folder named after its id (1.0.102). */
export function sessionsFolder(environment: Environment): string {
  return join(ownFolder(environment), 'session-state')
}
