import { OBEYED } from './line.ts'

/**
 * Makes a text with a command that a person may copy: each inserted value becomes one word of a shell, quoted if
 * necessary. So an id or a path that came with a clone is never more than a word. Every `fix` with a value from outside
 * the program is made by this function.
 */
export function paste(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return parts.reduce((text, part, index) => `${text}${asWord(values[index - 1]!)}${part}`)
}

/**
 * A value as one word of sh. A value that a terminal would obey, or a program would mistake for an option, cannot be
 * copied; it becomes `<…>`.
 */
export function asWord(value: string): string {
  if (PLAIN.test(value)) return value
  if (value === '' || OBEYED.test(value) || /[\t\n]/.test(value) || value.startsWith('-')) return '<…>'
  return `'${value.replaceAll("'", "'\\''")}'`
}

/** Letters of any script: ids are made from titles. */
const PLAIN = /^[\p{L}\p{N}_./][\p{L}\p{M}\p{N}\w.,:@%+/-]*$/u
