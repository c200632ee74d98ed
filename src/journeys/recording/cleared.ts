import { readFileSync, renameSync, rmSync } from 'node:fs'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import { clearedPath, ensureLocalFolder } from '../../store/layout.ts'
import { clientProcess } from '../../store/machine/process.ts'
import type { Workspace } from '../../workspace/open.ts'

/**
 * `/clear` ends one native session and begins another, and neither hook names the other's id. What they share is
 * the client that starts them (seen with Claude Code 2.1.197 and 2.1.330). A note under its
 * process number links them: left by the end, taken by the begin.
 */
interface Cleared {
  conversation: string
  command?: string | undefined
  at: string
}

/** The begin follows within a second; after this the number may belong to another process. */
const AT_ONCE_MS = 15_000

export function noteCleared(ws: Workspace, what: Omit<Cleared, 'at'> & { client: string }): void {
  ensureLocalFolder(ws.local, ws.local)
  const { client, ...cleared } = what
  const note: Cleared = { ...cleared, at: ws.environment.now().toISOString() }
  writeFileAtomic(noteFile(ws, client), JSON.stringify(note), { mode: 0o600 })
}

/** Takes the note of this client; undefined when it left none. */
export function takeCleared(
  ws: Workspace,
  client: string,
): { conversation: string; command?: string } | undefined {
  const file = noteFile(ws, client)
  const taken = `${file}.taken`
  try {
    renameSync(file, taken)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const { conversation, command, at } = JSON.parse(readFileSync(taken, 'utf8')) as Cleared
  rmSync(taken)
  if (ws.environment.now().getTime() - Date.parse(at) > AT_ONCE_MS) return undefined
  return { conversation, ...(command === undefined ? {} : { command }) }
}

function noteFile(ws: Workspace, client: string): string {
  return clearedPath(ws.local, client, clientProcess(ws.environment.env))
}
