import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Part of the hook bundle: node's own modules only. What the system tells about processes. */

/** The client that a hook runs for: what its command line hands on, else (an older one, which was replaced) the parent. */
export function clientProcess(env: Readonly<Record<string, string | undefined>>): number {
  const told = Number(env.CORTEXT_CLIENT_PID)
  return Number.isSafeInteger(told) && told > 0 ? told : process.ppid
}

/** A process that can be told apart from any other, also from one that is given its number later. */
export interface ProcessName {
  pid: number
  /** Host and pid namespace: a pid means something only within both. */
  host: string
  /** When it started, in clock ticks since boot; '' where there is no /proc. */
  start: string
}

export function nameProcess(pid: number): ProcessName {
  return { pid, host: thisHost(), start: startOf(pid) ?? '' }
}

export function sameProcess(a: ProcessName, b: ProcessName): boolean {
  return a.pid === b.pid && a.host === b.host && a.start === b.start
}

/** Whether it has certainly ended: of another host nobody knows. */
export function hasEnded({ pid, host, start }: ProcessName): boolean {
  if (host !== thisHost()) return false
  // One that nobody has taken note of yet still has its number.
  if (!isRunning(pid) || statOf(pid)?.[0] === 'Z') return true
  const now = startOf(pid)
  return start !== '' && now !== undefined && now !== start
}

export function thisHost(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process is a running one too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** When a process started, in clock ticks since boot; undefined where there is no /proc, or no such process. */
export function startOf(pid: number): string | undefined {
  return statOf(pid)?.[19]
}

/** The parent of a process; undefined when it cannot be told. */
export function parentOf(pid: number): number | undefined {
  if (pid === process.pid) return process.ppid
  const parent = Number(statOf(pid)?.[1] ?? parentByPs(pid))
  return Number.isInteger(parent) && parent > 0 ? parent : undefined
}

/** What is found first on the way out from a process: at its parent, at that one's, and so on. */
export function findAround<T>(pid: number, look: (pid: number) => T | undefined): T | undefined {
  let above = parentOf(pid)
  // Deeper than any shell within a client; a loop is impossible, an odd process table is not.
  for (let depth = 0; above !== undefined && above > 1 && depth < 64; depth++) {
    const found = look(above)
    if (found !== undefined) return found
    above = parentOf(above)
  }
  return undefined
}

/** The variables that a process was started with; undefined where there is no /proc, or it is somebody else's. */
export function environmentOf(pid: number): Record<string, string> | undefined {
  try {
    const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean)
    return Object.fromEntries(entries.map((one) => [one.split('=', 1)[0]!, one.slice(one.indexOf('=') + 1)]))
  } catch {
    return undefined
  }
}

/** Fields of /proc/<pid>/stat behind the program's name, which may hold spaces: proc(5). */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

/** Where there is no /proc (macOS). */
function parentByPs(pid: number): string {
  if (process.platform === 'linux' || process.platform === 'win32') return ''
  try {
    // Loaded only here: hooks are to start fast.
    const { execFileSync } = process.getBuiltinModule('node:child_process')
    return execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8', timeout: 1_000 }).trim()
  } catch {
    // No such process any more.
    return ''
  }
}
