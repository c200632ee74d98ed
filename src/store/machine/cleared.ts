import { readFileSync, renameSync, rmSync } from 'node:fs'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import { errnoOf, fileError } from '../../io/file-error.ts'
import { clearedPath, ensureLocalFolder } from '../layout.ts'

/**
 * `/clear` ends one native session and begins another, and neither hook names the other's id. Both run under the same
 * client process (seen with Claude Code 2.1.197 and 2.1.330). So a note under its process number links them: the hook
 * of the end leaves the note, and the hook of the begin takes it.
 */
export interface Cleared {
  conversation: string
  command?: string | undefined
}

/** The client that cleared its session: its id and its process. */
interface Clearing {
  client: string
  pid: number
  now: Date
}

/** The next session begins within a second. Later the process number may belong to another process. */
const AT_ONCE_MS = 15_000

/** Leaves the note. Throws `disk-full`, `unwritable` or `unsafe-path`. */
export function noteCleared(local: string, { client, pid, now }: Clearing, what: Cleared): void {
  ensureLocalFolder(local, local)
  const note = { ...what, at: now.toISOString() }
  writeFileAtomic(clearedPath(local, client, pid), JSON.stringify(note), { mode: 0o600 })
}

/**
 * Takes the note of a client; undefined when there is none or it is too old. Throws `unreadable`, `unwritable` and the
 * like.
 */
export function takeCleared(
  local: string,
  { client, pid, now }: Clearing,
): { conversation: string; command?: string } | undefined {
  const file = clearedPath(local, client, pid)
  const text = takeFile(file)
  if (text === undefined) return undefined
  const { conversation, command, at } = JSON.parse(text) as Cleared & { at: string }
  if (now.getTime() - Date.parse(at) > AT_ONCE_MS) return undefined
  return { conversation, ...(command === undefined ? {} : { command }) }
}

/** The text of a file that only one process gets; undefined when there is none. */
function takeFile(file: string): string | undefined {
  const taken = `${file}.taken`
  try {
    renameSync(file, taken)
    const text = readFileSync(taken, 'utf8')
    rmSync(taken)
    return text
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw fileError(error, file, 'write')
  }
}
