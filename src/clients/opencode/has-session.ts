import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { findProgram } from '../../io/program.ts'
import { dataFolder } from './data-folder.ts'
import { sessionsInDatabase } from './database.ts'
import { askForSession } from './program.ts'

/**
 * Whether OpenCode still has a session. Our transcript does not show this, because it stays when OpenCode deletes the
 * session. This searches OpenCode's database if this Node can read it. Otherwise it asks OpenCode to export the
 * session, which takes a second. True if OpenCode gives no answer.
 */
export function hasSession(environment: Environment, folder: string, nativeId: string): boolean {
  if (!existsSync(join(dataFolder(environment), 'opencode'))) return false
  const sessions = sessionsInDatabase(environment)
  if (sessions !== undefined) return sessions.some(({ id }) => id === nativeId)
  if (findProgram('opencode', environment.env) === undefined) return true
  // OpenCode's list would leave out sessions that were held when their folder belonged to another project.
  return askForSession(environment, folder, nativeId) !== 'missing'
}
