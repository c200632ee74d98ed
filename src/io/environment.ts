/**
 * The outside world, read once when the program starts and passed down. Hardly any other code reads it from the
 * process, so tests need no mocks: they make another Environment.
 */
export interface Environment {
  readonly cwd: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: () => Date
  /** True when a person can be asked: stdin and stdout are terminals and CI is not set. */
  readonly interactive: boolean
  /** The program that runs. */
  readonly program?: Program
}

/** Absolute paths of node and of the file that it runs. */
export interface Program {
  readonly node: string
  readonly script: string
}

export function currentEnvironment(): Environment {
  const env = process.env
  return {
    cwd: process.cwd(),
    home: env.HOME || env.USERPROFILE || process.cwd(),
    env,
    now: () => new Date(),
    program: { node: process.execPath, script: process.argv[1] ?? '' },
    // This is read only when a person is to be asked, because node sets up stdin at the first access.
    get interactive() {
      return Boolean(process.stdin.isTTY && process.stdout.isTTY && !env.CI)
    },
  }
}
