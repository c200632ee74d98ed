import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { outputOf } from '../../io/process.ts'
import { statsOf } from '../../io/regular-file.ts'
import { fieldsOf, jsonIn } from '../shared/transcript/fields.ts'
import { textAt } from '../shared/transcript/session-files.ts'
import { ownFolder } from './facts.ts'

/**
 * Whether a thread is open in a process that `codex resume` cannot join, such as a terminal without the background
 * server, `codex exec` or an editor. For such a thread `codex resume` only reports that the conversation is open in
 * another app. The background server does not count: `codex resume` joins a running server, even where it would start
 * none (0.169.0). The process that writes a thread holds a lock on a file named after the thread. We look up which
 * process holds the lock, and never take the lock. Returns false if we cannot find that process.
 */
export function inUse(environment: Environment, nativeId: string): boolean {
  const home = ownFolder(environment)
  const writers = holdersOf(join(home, 'thread-writer-locks', `${nativeId}.lock`))
  if (writers.length === 0) return false
  const servers = PID_FILES.map((name) => pidIn(join(home, 'app-server-daemon', name)))
  return writers.some((pid) => !servers.includes(pid))
}

/** The background server notes its process id in one of these files, depending on how the server was installed. */
const PID_FILES = ['daemon.pid', 'app-server.pid']

/** The ids of the processes that hold a lock on a file. A process that was killed holds none. */
function holdersOf(file: string): number[] {
  const inode = statsOf(file)?.ino
  if (inode === undefined) return []
  const table = textAt('/proc/locks')
  // Without /proc, the processes that have the file open count as holders: Codex opens it only to lock it.
  return table === undefined ? openersOf(file) : lockersIn(table, inode)
}

/** A line looks like `5: FLOCK  ADVISORY  WRITE 31182 fe:00:2465949 0 EOF`. */
function lockersIn(table: string, inode: number): number[] {
  return table.split('\n').flatMap((line) => {
    const [, kind, , , pid, device = ''] = line.trim().split(/\s+/)
    return kind === 'FLOCK' && device.endsWith(`:${inode}`) ? [Number(pid)] : []
  })
}

function openersOf(file: string): number[] {
  const output = outputOf('lsof', ['-t', file]) ?? ''
  return output.split('\n').filter(Boolean).map(Number)
}

function pidIn(file: string): unknown {
  return fieldsOf(jsonIn(textAt(file) ?? '')).pid
}
