import type { Environment } from '../../io/environment.ts'

export interface Health {
  /**
   * Reports what in the person's own settings keeps our commands or hooks from working in a folder, or puts native
   * sessions at risk. It reads files and runs nothing. The list is empty when nothing is wrong.
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
