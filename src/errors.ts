/** The stable codes of expected failures. Scripts may compare them; people read the message and the fix. */
export type ErrorCode =
  | 'usage'
  | 'not-found'
  | 'ambiguous'
  | 'no-workspace'
  | 'corrupt'
  | 'newer-version'
  | 'unsettled'
  | 'unreadable'
  | 'unwritable'
  | 'disk-full'
  | 'unsafe-path'
  | 'refused'
  | 'locked'
  | 'client-missing'
  | 'client-failed'
  | 'git'
  | 'cancelled'

/**
 * An expected failure. The message names what failed, with its path or id; `fix` is advice or a command to paste. On
 * the command line, cli/report-error.ts prints both. Any other error is a bug of ours (exit 70).
 */
export class CortextError extends Error {
  readonly code: ErrorCode
  readonly fix: string | undefined

  constructor(code: ErrorCode, message: string, options: { fix?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'CortextError'
    this.code = code
    this.fix = options.fix
  }
}

/** Returns the result of `work`, or `otherwise` if it fails as is to be expected. A bug of ours is thrown on. */
export function withDefault<T>(otherwise: T, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof CortextError) return otherwise
    throw error
  }
}
