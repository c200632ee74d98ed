import { dirname } from 'node:path'
import { writeFileAtomic } from '../io/atomic-write.ts'
import { makeFolders } from '../io/real-folder.ts'
import { readText } from '../io/regular-file.ts'
import { removePath } from '../io/remove.ts'
import { type Outside, stateFile } from '../io/state-file.ts'
import { parseJson } from '../text/json.ts'

/**
 * Where the conversations of all private workspaces of this person on this machine go, unless a workspace has another
 * place.
 */
export interface PersonalPlace {
  address: string
  /** The setting `sync.auto` of the workspaces that do not have it. */
  auto?: boolean
  /** All that is sent there is sealed. */
  isSealed?: true
}

/** Undefined if the person has named none. Throws `unreadable`. */
export function personalPlace(outside: Outside): PersonalPlace | undefined {
  const { address, auto, isSealed } = Object(parseJson(readText(fileOf(outside)) ?? '')) as Record<
    string,
    unknown
  >
  if (typeof address !== 'string') return undefined
  return { address, ...(typeof auto === 'boolean' && { auto }), ...(isSealed === true && { isSealed }) }
}

/** Notes this place, or removes the note. Throws what files throw. */
export function setPersonalPlace(outside: Outside, place: PersonalPlace | undefined): void {
  const path = fileOf(outside)
  if (place === undefined) removePath(path)
  else {
    makeFolders(dirname(path), 0o700)
    writeFileAtomic(path, `${JSON.stringify(place)}\n`, { mode: 0o600, refuseSymlink: true })
  }
}

function fileOf(outside: Outside): string {
  return stateFile(outside, 'place.json')
}
