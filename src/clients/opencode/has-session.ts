import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { findProgram } from '../../io/run.ts'
import { fieldsOf } from '../transcript/fields.ts'
import { dataFolder } from './data-folder.ts'
import { sessionsInDatabase } from './database.ts'
import { jsonFromOpenCode } from './program.ts'

/**
 * Whether OpenCode has a session: our transcript of it stays when it is deleted there. From the database where this
 * Node can read it, else OpenCode is asked to give the session out, which takes a second, or two when it does not.
 */
export function hasSession(environment: Environment, folder: string, nativeId: string): boolean {
  if (!existsSync(join(dataFolder(environment), 'opencode'))) return false
  const known = sessionsInDatabase(environment)
  if (known !== undefined) return known.some(({ id }) => id === nativeId)
  if (findProgram('opencode', environment.env) === undefined) return true
  // OpenCode 1's way, OpenCode 2's. A list would leave out sessions of what was another project once.
  return [['export'], ['session', 'export']].some((command) => {
    const { info } = fieldsOf(jsonFromOpenCode(environment, folder, [...command, nativeId]))
    return fieldsOf(info).id === nativeId
  })
}
