/**
 * The outside, read once at the door and passed down, so that nothing below asks the process for it and tests
 * need no mocks: they make another Environment.
 */
export interface Environment {
  readonly cwd: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: () => Date
  /** True when a person can be asked: stdin and stdout are both terminals and CI is not set. */
  readonly interactive: boolean
}

export function currentEnvironment(): Environment {
  const env = process.env
  return {
    cwd: process.cwd(),
    home: env.HOME || env.USERPROFILE || process.cwd(),
    env,
    now: () => new Date(),
    // Asked for only where there is a question: node sets up stdin when it is first looked at.
    get interactive() {
      return Boolean(process.stdin.isTTY && process.stdout.isTTY && !env.CI)
    },
  }
}
