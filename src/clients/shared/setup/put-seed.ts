import { writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolders } from '../../../io/real-folder.ts'

/** Puts the seed of a handoff among the sessions of a client, readable only by its user. Throws if the file is there. */
export function putSeed(path: string, content: string): void {
  makeFolders(dirname(path), 0o700)
  writeFileSync(path, content, { mode: 0o600, flag: 'wx' })
}
