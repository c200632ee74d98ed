import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { execa } from 'execa'

/** The absolute path of a program that is on PATH and that this user may run; undefined when there is none. */
export function findProgram(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const suffixes = process.platform === 'win32' ? ['.cmd', '.exe', '.bat', ''] : ['']
  for (const folder of (env.PATH ?? '').split(delimiter).filter((part) => part !== ''))
    for (const suffix of suffixes)
      if (isProgram(join(folder, name + suffix))) return join(folder, name + suffix)
  return undefined
}

/**
 * Runs a program in this terminal until it ends, and returns its exit code (128 + n after signal n). This process
 * ignores Ctrl-C and Ctrl-\, which reach the program too, and waits for its end: after that, the caller saves the talk.
 * It passes SIGTERM and SIGHUP on to the program, because the system may send them to this process only.
 */
export async function runInTerminal(
  spec: { command: string; args: string[]; env: Record<string, string>; cwd: string },
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const ignore = (): void => undefined
  const passOn = (signal: NodeJS.Signals): void => void program.kill(signal)
  const handlers = { SIGINT: ignore, SIGQUIT: ignore, SIGTERM: passOn, SIGHUP: passOn }
  // The handlers are set before the program starts. Otherwise a signal between the two steps would end this process,
  // but not the program.
  for (const [signal, handler] of Object.entries(handlers)) process.on(signal, handler)
  const program = execa(spec.command, spec.args, {
    cwd: spec.cwd,
    env: { ...env, ...spec.env },
    extendEnv: false,
    stdio: 'inherit',
    reject: false,
    cleanup: false,
    forceKillAfterDelay: false,
  })
  try {
    const result = await program
    return result.exitCode ?? 128 + (SIGNAL_NUMBERS[result.signal ?? ''] ?? 0)
  } finally {
    for (const [signal, handler] of Object.entries(handlers)) process.off(signal, handler)
  }
}

const SIGNAL_NUMBERS: Record<string, number> = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGKILL: 9, SIGTERM: 15 }

/** Whether the path leads to a file that this user may run. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    // There is no such file, or this user may not run it.
    return false
  }
}
