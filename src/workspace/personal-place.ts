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
  /** This machine has sent something there. */
  isUsed?: true
}

/** Undefined if the person has named none. Throws `unreadable`. */
export function personalPlace(outside: Outside): PersonalPlace | undefined {
  const value: unknown = parseJson(readText(fileOf(outside)) ?? '')
  const { address, auto, isSealed, isUsed } = Object(value) as Record<string, unknown>
  if (typeof address !== 'string') return undefined
  return {
    address,
    ...(typeof auto === 'boolean' && { auto }),
    ...(isSealed === true && { isSealed }),
    ...(isUsed === true && { isUsed }),
  }
}

/** Notes that this machine has sent something to an address. If that is the place, an empty folder there is a missing disk. */
export function notePersonalUsed(outside: Outside, address: string): void {
  const place = personalPlace(outside)
  if (place?.address === address && !place.isUsed) setPersonalPlace(outside, { ...place, isUsed: true })
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
