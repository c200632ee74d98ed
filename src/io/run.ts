import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { execa } from 'execa'

/** The absolute path of a program on PATH; undefined when there is none that may be run. */
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
 * Runs a program in this terminal until it ends; returns its exit code, 128 + n after signal n. Ctrl-C and the
 * like are the program's: this process waits, so that what was said is saved behind it.
 */
export async function runInTerminal(
  spec: { command: string; args: string[]; env: Record<string, string>; cwd: string },
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const ignore = (): void => undefined
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const
  for (const signal of signals) process.on(signal, ignore)
  try {
    const result = await execa(spec.command, spec.args, {
      cwd: spec.cwd,
      env: { ...env, ...spec.env },
      extendEnv: false,
      stdio: 'inherit',
      reject: false,
      cleanup: false,
    })
    return result.exitCode ?? 128 + (SIGNAL_NUMBERS[result.signal ?? ''] ?? 0)
  } finally {
    for (const signal of signals) process.off(signal, ignore)
  }
}

const SIGNAL_NUMBERS: Record<string, number> = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGKILL: 9, SIGTERM: 15 }

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    // Not there, or not ours to run: the next folder of PATH may have it.
    return false
  }
}
