import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { findProgram } from '../../io/run.ts'
import { dataFolder } from './data-folder.ts'
import { sessionsInDatabase } from './database.ts'
import { askForSession } from './program.ts'

/**
 * Whether OpenCode still has a session. If the session is deleted there, our transcript of it stays. The database is
 * searched where this Node can read it. Otherwise OpenCode is asked to export the session, which takes a second. If it
 * gives no answer, it counts as having the session.
 */
export function hasSession(environment: Environment, folder: string, nativeId: string): boolean {
  if (!existsSync(join(dataFolder(environment), 'opencode'))) return false
  const sessions = sessionsInDatabase(environment)
  if (sessions !== undefined) return sessions.some(({ id }) => id === nativeId)
  if (findProgram('opencode', environment.env) === undefined) return true
  // OpenCode's list would leave out sessions that were held when their folder belonged to another project.
  return askForSession(environment, folder, nativeId) !== 'missing'
}
