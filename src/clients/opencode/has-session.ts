import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { findProgram } from '../../io/run.ts'
import { fieldsOf } from '../transcript/fields.ts'
import { dataFolder } from './data-folder.ts'
import { sessionsInDatabase } from './database.ts'
import { jsonFromOpenCode } from './program.ts'

/**
 * Whether OpenCode has a session: when the session is deleted there, our transcript of it stays. The database tells
 * where this Node can read it. Otherwise OpenCode is asked to give the session out, which takes a second, or two when
 * it does not have it.
 */
export function hasSession(environment: Environment, folder: string, nativeId: string): boolean {
  if (!existsSync(join(dataFolder(environment), 'opencode'))) return false
  const known = sessionsInDatabase(environment)
  if (known !== undefined) return known.some(({ id }) => id === nativeId)
  if (findProgram('opencode', environment.env) === undefined) return true
  // The ways of OpenCode 1 and of OpenCode 2. A list would leave out sessions of what once was another project.
  return [['export'], ['session', 'export']].some((command) => {
    const { info } = fieldsOf(jsonFromOpenCode(environment, folder, [...command, nativeId]))
    return fieldsOf(info).id === nativeId
  })
}
