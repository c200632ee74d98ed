import { userInfo } from 'node:os'
import { isAbsolute } from 'node:path'

/**
 * What the program knows of the world around it. It is read once when the program starts, and passed down. Tests pass
 * an Environment of their own, so they need no mocks.
 */
export interface Environment {
  readonly cwd: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: () => Date
  /** Whether a person can be asked: stdin and stdout are terminals, and the variable CI is not set. */
  readonly interactive: boolean
  readonly program?: Program
}

/**
 * The person's home; '' when no variable names it. On Windows clients use USERPROFILE, and HOME is git's, which a shell may
 * have set to something else.
 */
export function homeOf(
  { HOME = '', USERPROFILE = '' }: Environment['env'],
  platform: NodeJS.Platform = process.platform,
): string {
  return platform === 'win32' ? USERPROFILE || HOME : HOME || USERPROFILE
}

/**
 * The home in the system's list of users, for where no variable names an absolute path: in a relative home, our files
 * would be in the work tree.
 */
function loginHome(): string {
  try {
    const { homedir } = userInfo()
    return isAbsolute(homedir) ? homedir : NOWHERE
  } catch {
    // This user is not on the list, as in some containers.
    return NOWHERE
  }
}

/** In the place of a home where there is none: nothing can be read or written below it. */
const NOWHERE = '/dev/null'

/** Absolute paths of node and of the file that it runs. */
export interface Program {
  readonly node: string
  readonly script: string
}

export function currentEnvironment(): Environment {
  const env = process.env
  const home = homeOf(env)
  return {
    cwd: process.cwd(),
    home: isAbsolute(home) ? home : loginHome(),
    env,
    now: () => new Date(),
    program: { node: process.execPath, script: process.argv[1] ?? '' },
    // A getter, because node sets up stdin at the first access to `process.stdin`. Most commands never need it.
    get interactive() {
      return Boolean(process.stdin.isTTY && process.stdout.isTTY && !env.CI)
    },
  }
}
