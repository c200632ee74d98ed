import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename } from 'node:path'
import { listNames } from './list-names.ts'

/**
 * This file is part of the hook bundle: it imports only node's modules and other files of the bundle. It reads what the
 * system tells about processes.
 */

/**
 * The pid of the client that runs this hook: the nearest ancestor that is not a shell or another wrapper with the hook's
 * command line. Our OpenCode plugin gives its pid in CORTEXT_CLIENT_PID. Returns
 * UNKNOWN_PROCESS on Windows, where the parent is the npm shim (`cortext.cmd`) and a process cannot see the parent of its
 * parent; elsewhere with `CORTEXT_CLIENT_PID=0`.
 */
export function clientProcess(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): number {
  const given = Number(env.CORTEXT_CLIENT_PID || Number.NaN)
  if (Number.isSafeInteger(given) && given >= 0) return given
  if (platform === 'win32') return UNKNOWN_PROCESS
  found ??= aboveWrappers(process.ppid)
  return found
}

/** The number of a client's process that nobody knows. No process has this number, and it is never seen to end. */
export const UNKNOWN_PROCESS = 0

let found: number | undefined

function aboveWrappers(pid: number): number {
  const above = runsHook(commandLineOf(pid)) ? parentOf(pid) : undefined
  return above === undefined || above <= 1 ? pid : aboveWrappers(above)
}

/**
 * Whether this is the command line of a shell or a wrapper that runs our hook: `bash -c "cortext hook gemini …"`,
 * `sh /usr/local/bin/cortext hook claude`. A client whose prompt names our hook is none.
 */
export function runsHook(commandLine: string): boolean {
  return RUNS_A_HOOK.test(commandLine)
}

const RUNS_A_HOOK = /^(?:\S*\/)?(?:-?(?:\w*sh|nu)\s.*\b|(?:(?:node|env)\s+(?:\S*\/)?)?)cortext["']? hook \w/

/** Identifies a process. With /proc, two processes that had the same pid one after the other differ in `start`. */
export interface ProcessName {
  pid: number
  /** The host and the pid namespace. Elsewhere the same pid names another process. */
  host: string
  /** When the process started, in clock ticks since boot; '' on a system without /proc. */
  start: string
}

export function nameProcess(pid: number): ProcessName {
  return { pid, host: thisHost(), start: startOf(pid) ?? '' }
}

export function sameProcess(a: ProcessName, b: ProcessName): boolean {
  return a.pid === b.pid && a.host === b.host && a.start === b.start
}

/** Whether the process has certainly ended. False for a process of another host, because this host cannot know it. */
export function hasEnded({ pid, host, start }: ProcessName): boolean {
  if (host !== thisHost() || pid === UNKNOWN_PROCESS) return false
  if (!isRunning(pid)) return true
  const now = startOf(pid)
  return start !== '' && now !== undefined && now !== start
}

/**
 * Whether `parent` is not the client of a hook, but the process that the system gave the hook to when its client ended:
 * init, or another one that was there before the client.
 */
export function hasAdopted(parent: ProcessName, client: ProcessName): boolean {
  return hasEnded(client) && (parent.pid === INIT || Number(parent.start) < Number(client.start))
}

/** In a container this may be a client, but then no other process of the container was the client before. */
const INIT = 1

export function thisHost(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

/** Whether a process with this pid runs on this machine. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A zombie has ended, but keeps its pid until its parent notices.
    return statOf(pid)?.[0] !== 'Z'
  } catch (error) {
    // EPERM: the process runs, and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** When a process started, in clock ticks since boot; undefined without /proc, or when there is no such process. */
export function startOf(pid: number): string | undefined {
  return statOf(pid)?.[19]
}

/** The parent of a process; undefined when it is not known. */
export function parentOf(pid: number): number | undefined {
  if (pid === process.pid) return process.ppid
  const parent = Number(statOf(pid)?.[1] ?? askPs(pid, 'ppid='))
  return Number.isInteger(parent) && parent > 0 ? parent : undefined
}

/**
 * Calls `look` with the parent of a process, its grandparent and so on, and returns the first result that is not
 * undefined.
 */
export function findInAncestors<T>(pid: number, look: (pid: number) => T | undefined): T | undefined {
  let above = parentOf(pid)
  // No shell in a client has 64 ancestors. With the limit, a process table with a cycle does no harm.
  for (let depth = 0; above !== undefined && above > 1 && depth < 64; depth++) {
    const found = look(above)
    if (found !== undefined) return found
    above = parentOf(above)
  }
  return undefined
}

/** The variables that a process was started with; undefined without /proc, or for a process of another user. */
export function environmentOf(pid: number): Record<string, string> | undefined {
  try {
    const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean)
    return Object.fromEntries(
      entries.map((entry) => [entry.split('=', 1)[0]!, entry.slice(entry.indexOf('=') + 1)]),
    )
  } catch {
    return undefined
  }
}

/** Whether this system lists its processes and their working folders. */
export function listsProcesses(): boolean {
  return folderOf(process.pid) !== undefined
}

/** The folder that a process works in; undefined without /proc, or for a process of another user. */
export function folderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

/**
 * The processes that work in a folder or below it, and whose program, or the script that it runs, has one of these
 * names. Only this user's processes are found, and only on a system with /proc.
 */
export function processesIn(folder: string, names: readonly string[]): { pid: number; name: string }[] {
  return listNames('/proc', '').flatMap((entry) => {
    const pid = Number(entry)
    if (!Number.isInteger(pid)) return []
    const cwd = folderOf(pid)
    if (cwd !== folder && cwd?.startsWith(`${folder}/`) !== true) return []
    const name = commandOf(pid)
      .slice(0, 2)
      .map(nameOfProgram)
      .find((candidate) => names.includes(candidate))
    return name === undefined ? [] : [{ pid, name }]
  })
}

function nameOfProgram(path: string): string {
  return basename(path).replace(/\.[cm]?js$/, '')
}

/** The arguments that a process was started with, its program first. */
function commandOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    // The process has ended meanwhile.
    return []
  }
}

/** The fields of /proc/<pid>/stat after the program's name; see proc(5). The name may contain spaces and brackets. */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

/** The command line of a process, in one line; '' when it is not known. */
function commandLineOf(pid: number): string {
  return commandOf(pid).join(' ') || askPs(pid, 'command=')
}

/** Asks `ps`, for systems without /proc (macOS); '' when the process does not exist any more. */
function askPs(pid: number, column: string): string {
  if (process.platform === 'linux' || process.platform === 'win32') return ''
  return outputOf('ps', ['-o', column, '-p', String(pid)])?.trim() ?? ''
}

/** What a small program prints; undefined when it fails or is missing. For hooks, which load no library. */
export function outputOf(
  file: string,
  args: readonly string[],
  where: { cwd?: string; env?: Record<string, string | undefined> } = {},
): string | undefined {
  try {
    // Loading this module takes time, and hooks must start fast, so it is loaded only here.
    const { execFileSync } = process.getBuiltinModule('node:child_process')
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore']
    return execFileSync(file, args, { ...where, encoding: 'utf8', stdio, timeout: 5000, windowsHide: true })
  } catch {
    return undefined
  }
}
