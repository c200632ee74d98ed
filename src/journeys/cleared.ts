import { readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileAtomic } from '../io/atomic-write.ts'
import { ensureLocalFolder, fileNameOf } from '../store/layout.ts'
import type { Workspace } from './open.ts'

/**
 * `/clear` ends one native session and begins another, and neither hook names the other's id. A note on disk
 * links them: left by the end, taken by the next begin of the same client in this workspace, if that comes at once.
 */
interface Cleared {
  nativeId: string
  conversation: string
  command?: string | undefined
  at: string
}

/** Claude begins the new session within a second (2.1.197, 2.1.330); a later one is not this clear's other half. */
const AT_ONCE_MS = 15_000

export function noteCleared(ws: Workspace, what: Omit<Cleared, 'at'> & { client: string }): void {
  ensureLocalFolder(ws.local, ws.local)
  const { client, ...cleared } = what
  const note: Cleared = { ...cleared, at: ws.place.now().toISOString() }
  writeFileAtomic(noteFile(ws, client), JSON.stringify(note), { mode: 0o600 })
}

/** Takes the note; undefined when there is none, or it is too old to be the same `/clear`. */
export function clearedInto(
  ws: Workspace,
  client: string,
): { conversation: string; command?: string } | undefined {
  const file = noteFile(ws, client)
  const taken = `${file}.${process.pid}`
  try {
    // Two sessions may begin at once; the rename lets one of them have it.
    renameSync(file, taken)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const note = JSON.parse(readFileSync(taken, 'utf8')) as Cleared
  rmSync(taken)
  if (ws.place.now().getTime() - Date.parse(note.at) > AT_ONCE_MS) return undefined
  return { conversation: note.conversation, ...(note.command === undefined ? {} : { command: note.command }) }
}

function noteFile(ws: Workspace, client: string): string {
  return join(ws.local, `cleared-${fileNameOf(client)}.json`)
}
