import { execa } from 'execa'
import { commandNamed } from './program.ts'

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
  const { file, args, verbatim } = commandNamed(spec.command, spec.args, env)
  const program = execa(file, args, {
    cwd: spec.cwd,
    env: { ...env, ...spec.env },
    extendEnv: false,
    windowsVerbatimArguments: verbatim,
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
