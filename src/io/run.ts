import { constants } from 'node:os'
import { execa, execaSync } from 'execa'
import { commandFor, commandNamed } from './program.ts'

/**
 * Runs programs, by execa. Three starts are elsewhere: hooks load no library (process.ts, hook.ts), the answers of
 * OpenCode and of Codex CLI's server do not come at the end of a pipe (clients/), and nobody waits for what opens a file
 * (open-on-desktop.ts).
 */

type Env = Readonly<Record<string, string | undefined>>

/**
 * The answer of a program. `hangs`: it was ended, or not even started, because of its time or of `stop`. `prints too
 * much`: it was ended because of `maxBytes`.
 */
export type Answer =
  | { code: number | null; stdout: Buffer; stderr: string }
  | 'hangs'
  | 'prints too much'
  | 'cannot be started'

interface Asking {
  env: Env
  cwd: string
  timeoutMs: number
  /** What its stdin contains; nothing by default. */
  input?: string | Buffer
  stop?: AbortSignal
  /** A program that prints more is ended. */
  maxBytes?: number
}

/**
 * Runs a program and returns its answer, also when it fails or cannot be started. It has a session of its own. So it has
 * no terminal for asking, and is ended with all processes that it started (on Windows only the program itself): after
 * `timeoutMs` milliseconds, first in a way that lets it tidy up, and at once when `stop` is aborted.
 */
export async function askProgram(
  path: string,
  words: readonly string[],
  { env, cwd, timeoutMs, input, stop, maxBytes = MAX_BYTES }: Asking,
): Promise<Answer> {
  if (stop?.aborted === true) return 'hangs'
  const { file, args, verbatim } = commandFor(path, words, env)
  const child = execa(file, args, {
    ...{ env, cwd, extendEnv: false, reject: false, encoding: 'buffer', stripFinalNewline: false },
    ...(input === undefined ? { stdin: 'ignore' } : { input }),
    maxBuffer: maxBytes,
    detached: OWN_SESSION,
    windowsHide: true,
    windowsVerbatimArguments: verbatim,
  })
  let hangs = false
  const end = (signal: 'SIGTERM' | 'SIGKILL') => {
    hangs = true
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal)
    } catch {
      // Windows has no sessions. On other systems, all processes of this one may have ended.
      child.kill(signal)
    }
  }
  const quit = () => {
    end('SIGKILL')
    // A process that has left the session may hold them open.
    child.stdout.destroy()
    child.stderr.destroy()
  }
  const timers = [setTimeout(end, timeoutMs, 'SIGTERM'), setTimeout(quit, timeoutMs + GRACE_MS)]
  stop?.addEventListener('abort', quit, { once: true })
  try {
    const { exitCode, stdout, stderr, isMaxBuffer } = await child
    if (child.pid === undefined) return 'cannot be started'
    if (hangs) return 'hangs'
    if (isMaxBuffer) return 'prints too much'
    return { code: exitCode ?? null, stdout: bytesOf(stdout), stderr: bytesOf(stderr).toString() }
  } finally {
    timers.forEach(clearTimeout)
    stop?.removeEventListener('abort', quit)
  }
}

/**
 * Like `askProgram`, for a program that asks nothing, starts no others and is quick: this process waits for its end.
 */
export function askProgramSync(
  path: string,
  words: readonly string[],
  { env, cwd, timeoutMs, input, maxBytes = MAX_BYTES }: Omit<Asking, 'stop'>,
): Answer {
  const { file, args, verbatim } = commandFor(path, words, env)
  const { exitCode, stdout, stderr, timedOut, isMaxBuffer, code } = execaSync(file, args, {
    ...{ env, cwd, extendEnv: false, reject: false, encoding: 'buffer', stripFinalNewline: false },
    ...(input === undefined ? { stdin: 'ignore' } : { input }),
    ...{ maxBuffer: maxBytes, timeout: timeoutMs, killSignal: 'SIGKILL' },
    windowsHide: true,
    windowsVerbatimArguments: verbatim,
  })
  if (timedOut) return 'hangs'
  if (isMaxBuffer) return 'prints too much'
  if (exitCode === undefined && code !== undefined) return 'cannot be started'
  return { code: exitCode ?? null, stdout: bytesOf(stdout), stderr: bytesOf(stderr).toString() }
}

/** The same memory: an output may be large. */
function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

const MAX_BYTES = 16 * 1024 * 1024
/** On Windows, a process in a session of its own would open a window. */
const OWN_SESSION = process.platform !== 'win32'
/** How long a program may take after SIGTERM, for example for git's lock files. */
const GRACE_MS = 1500

/**
 * Runs a program in this terminal until it ends, and returns its exit code (128 + n after signal n). This process
 * ignores Ctrl-C and Ctrl-\, which reach the program too, and waits for its end: after that, the caller saves the talk.
 * It passes SIGTERM and SIGHUP on to the program, because the system may send them to this process only.
 */
export async function runInTerminal(
  spec: { command: string; args: string[]; env: Record<string, string>; cwd: string },
  env: Env,
): Promise<number> {
  const { file, args, verbatim } = commandNamed(spec.command, spec.args, env)
  const start = () =>
    execa(file, args, {
      cwd: spec.cwd,
      env: { ...env, ...spec.env },
      extendEnv: false,
      windowsVerbatimArguments: verbatim,
      stdio: 'inherit',
      reject: false,
      cleanup: false,
      forceKillAfterDelay: false,
    })
  let program: ReturnType<typeof start> | undefined
  const ignore = (): void => undefined
  const passOn = (signal: NodeJS.Signals): void => void program?.kill(signal)
  const handlers = { SIGINT: ignore, SIGQUIT: ignore, SIGTERM: passOn, SIGHUP: passOn }
  // The handlers are set before the program starts. Otherwise a signal between the two steps would end this process,
  // but not the program.
  for (const [signal, handler] of Object.entries(handlers)) process.on(signal, handler)
  try {
    program = start()
    const { exitCode, signal } = await program
    return exitCode ?? 128 + (signal === undefined ? 0 : constants.signals[signal])
  } finally {
    for (const [signal, handler] of Object.entries(handlers)) process.off(signal, handler)
  }
}
