import type { Environment } from '../../io/environment.ts'

export interface Health {
  /**
   * Reports what keeps our commands or hooks from working in a folder, and what puts native sessions at risk: settings
   * of the person or of the project, a folder that is not trusted, other commands with our commands' names. It reads
   * files and runs nothing. When nothing is wrong, the list is empty or contains only findings of severity `ok`.
   */
  findings(environment: Environment, folder: string): ClientFinding[]
}

/** A finding of `cortext doctor` about a client's settings; see Finding in journeys/doctor/finding.ts. */
export interface ClientFinding {
  severity: 'ok' | 'note' | 'problem'
  /** The code is stable, for scripts: `hooks-disabled`. */
  code: string
  message: string
  /** A command to paste, or what to do. Absent when nothing is wrong. */
  fix?: string
}
