import { type ChildProcess, spawn } from 'node:child_process'
import { commandFor } from './program.ts'

/** The answer of a program. `hangs`: the program was killed, because it did not end in time or `stop` was aborted. */
export type Answer = { code: number | null; stdout: string; stderr: string } | 'hangs' | 'cannot be started'

/**
 * Runs a program and returns its answer, also when it fails or cannot be started. Its stdin contains only `input`. Of
 * stdout and of stderr, about the first million characters are returned. After `timeoutMs` milliseconds, or when `stop`
 * is aborted, the program is killed with all processes that it started (on Windows only the program itself).
 */
export function askProgram(
  path: string,
  args: readonly string[],
  options: {
    env: Readonly<Record<string, string | undefined>>
    cwd: string
    timeoutMs: number
    input?: string
    stop?: AbortSignal
  },
): Promise<Answer> {
  const { env, cwd, timeoutMs, input, stop } = options
  return new Promise((resolve) => {
    const command = commandFor(path, args, env)
    const stdio = [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] as const
    const child = spawn(command.file, command.args, {
      env,
      cwd,
      // The program has a process group of its own, which `kill` ends as a whole. On Windows there are no groups, and a
      // detached program would open a window.
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: command.verbatim,
      stdio: [...stdio],
    })
    const output = { stdout: '', stderr: '' }
    // If the program ends before it has read all of `input`, its output still counts.
    child.stdin?.on('error', () => undefined).end(input)
    listen(child.stdout, (text) => (output.stdout += text))
    listen(child.stderr, (text) => (output.stderr += text))
    const end = (): void => {
      clearTimeout(giveUp)
      stop?.removeEventListener('abort', quit)
    }
    const quit = (): void => {
      end()
      kill(child)
      child.stdout?.destroy()
      child.stderr?.destroy()
      child.unref()
      resolve('hangs')
    }
    const giveUp = setTimeout(quit, timeoutMs)
    stop?.addEventListener('abort', quit, { once: true })
    child.on('error', () => {
      end()
      resolve('cannot be started')
    })
    // The pid may now belong to another program, so `quit` must not run any more.
    child.on('close', (code) => {
      end()
      resolve({ code, ...output })
    })
  })
}

const MAX_CHARACTERS = 1024 * 1024

function listen(stream: NodeJS.ReadableStream | null, hear: (text: string) => void): void {
  let length = 0
  stream?.setEncoding('utf8').on('data', (text: string) => {
    length += text.length
    if (length <= MAX_CHARACTERS) hear(text)
  })
}

function kill(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // Windows has no process groups. On other systems, the whole group may have ended.
    child.kill('SIGKILL')
  }
}
