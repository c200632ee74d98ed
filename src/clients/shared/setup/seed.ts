import { writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { sha256 } from '../../../hash.ts'
import { makeFolders } from '../../../io/real-folder.ts'
import type { Handoff } from '../../contract/launch.ts'

/** Any time works in a seed. */
export const SEED_TIME = '2000-01-01T00:00:00.000Z'

/** The command of a handoff as a person types it. */
export function typedIn({ command, args }: Handoff): string {
  return `/${command}${args === '' ? '' : ` ${args}`}`
}

/** What only the model reads: the command's instructions, and the resume block with the history. */
export function givenIn({ body, context }: Handoff): string[] {
  return [body, context].filter(Boolean)
}

export function jsonLines(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}

/** Makes a UUID of version 8 (RFC 9562) from the new session's id, so that the same handoff gives the same file. */
export function seedUuid(nativeId: string, part: string | number): string {
  const hex = sha256(`cortext-seed\0${nativeId}\0${part}`)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Puts the seed of a handoff among the sessions of a client, readable only by its user. Throws if the file is there. */
export function putSeed(path: string, content: string): void {
  makeFolders(dirname(path), 0o700)
  writeFileSync(path, content, { mode: 0o600, flag: 'wx' })
}
