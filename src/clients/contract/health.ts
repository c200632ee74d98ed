import type { Environment } from '../../io/environment.ts'

export interface Health {
  /**
   * Reports what keeps our commands or hooks from working in a folder, such as a folder that the client does not trust.
   * It also reports settings that put native sessions at risk. It reads files and runs nothing. When nothing is wrong,
   * the list is empty or contains only findings of severity `ok`.
   */
  findings(environment: Environment, folder: string): ClientFinding[]
}

/** A finding of `cortext doctor` about a client's settings; see Finding in journeys/doctor/finding.ts. */
export interface ClientFinding {
  severity: 'ok' | 'note' | 'problem'
  /** A name that scripts can rely on: `hooks-disabled`. */
  code: string
  message: string
  /** A command to paste, or what to do. Absent when nothing is wrong. */
  fix?: string
}
