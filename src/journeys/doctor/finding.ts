/** One result of `cortext doctor`. */
export interface Finding {
  /**
   * `problem`: something does not work, or will be lost. `note`: nothing is broken, but the person may want to know it.
   */
  severity: 'ok' | 'note' | 'problem'
  /** A name for scripts, such as `hooks-disabled`. It never changes. */
  code: string
  /** One line for a person. */
  message: string
  /** A command to paste, or an instruction. */
  fix?: string
  /** `cortext doctor --fix` solves it. */
  fixable?: true
}

export interface Section {
  title: string
  findings: Finding[]
}

export function ok(code: string, message: string): Finding {
  return { severity: 'ok', code, message }
}

/** How a finding is solved: a person does what the text says, or `--fix` does it. */
export type Remedy = string | typeof FIXABLE | undefined
export const FIXABLE = Symbol('cortext doctor --fix does it')

export function note(code: string, message: string, remedy?: Remedy): Finding {
  return { severity: 'note', code, message, ...fixOf(remedy) }
}

export function problem(code: string, message: string, remedy?: Remedy): Finding {
  return { severity: 'problem', code, message, ...fixOf(remedy) }
}

function fixOf(remedy: Remedy): Pick<Finding, 'fix' | 'fixable'> {
  if (remedy === FIXABLE) return { fixable: true }
  return remedy === undefined ? {} : { fix: remedy }
}

/** The first four names, and how many more there are. */
export function some(names: readonly string[]): string {
  const shown = names.slice(0, 4)
  return names.length > shown.length
    ? `${shown.join(', ')} and ${names.length - shown.length} more`
    : shown.join(', ')
}
