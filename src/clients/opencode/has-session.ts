import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Place } from '../../io/environment.ts'
import { findProgram } from '../../io/run.ts'
import { fieldsOf } from '../transcript/fields.ts'
import { dataFolder } from './data-folder.ts'
import { sessionsInDatabase } from './database.ts'
import { jsonFromOpenCode } from './program.ts'

/**
 * Whether OpenCode has a session: our transcript of it stays when it is deleted there. From the database where this
 * Node can read it, else OpenCode is asked to give the session out, which takes a second, or two when it does not.
 */
export function hasSession(place: Place, folder: string, nativeId: string): boolean {
  if (!existsSync(join(dataFolder(place), 'opencode'))) return false
  const known = sessionsInDatabase(place)
  if (known !== undefined) return known.some(({ id }) => id === nativeId)
  if (findProgram('opencode', place.env) === undefined) return true
  // OpenCode 1's way, OpenCode 2's. A list would leave out sessions of what was another project once.
  return [['export'], ['session', 'export']].some((command) => {
    const { info } = fieldsOf(jsonFromOpenCode(place, folder, [...command, nativeId]))
    return fieldsOf(info).id === nativeId
  })
}
