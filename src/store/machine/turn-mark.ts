import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import { errnoOf, fileError } from '../../io/file-error.ts'
import { ensureLocalFolder, turnMarkPath } from '../layout.ts'

/** This file is part of the hook bundle: it imports only node's own modules. */

export interface TurnMark {
  /** The size of the journal when the last turn began. It holds all earlier turns, but not the prompt of this one. */
  offset: number
  /** ISO 8601. */
  at: string
}

/**
 * Notes the begin of a turn. The mark has its own file, so that a hook seldom rewrites a binding that a command may be
 * changing. It is not fsynced: if it is lost, the transcript itself tells.
 */
export function writeTurnMark(local: string, client: string, nativeId: string, mark: TurnMark): void {
  const path = turnMarkPath(local, client, nativeId)
  ensureLocalFolder(local, dirname(path))
  writeFileAtomic(path, `${JSON.stringify(mark)}\n`, { mode: 0o600, refuseSymlink: true, durable: false })
}

/** The begin of the last turn; undefined when none was noted or the note cannot be read. */
export function readTurnMark(local: string, client: string, nativeId: string): TurnMark | undefined {
  const path = turnMarkPath(local, client, nativeId)
  try {
    const value = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value?.offset !== 'number' || typeof value.at !== 'string') return undefined
    return { offset: value.offset, at: value.at }
  } catch (error) {
    // The file is not JSON: a crash has torn it.
    if (errnoOf(error) === undefined || errnoOf(error) === 'ENOENT') return undefined
    throw fileError(error, path, 'read')
  }
}
