import { OBEYED } from './line.ts'

/**
 * Makes a text with a command that a person may copy: each inserted value becomes one word of a shell, quoted if
 * necessary. So an id or a path that came with a clone is never more than a word. This function makes every `fix` with
 * a value from outside the program.
 */
export function paste(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return parts.reduce((text, part, index) => `${text}${asWord(values[index - 1]!)}${part}`)
}

/**
 * A value as one word of sh. A value cannot be copied if a terminal would obey it, or if a program would take it for an
 * option. Such a value becomes `<…>`.
 */
export function asWord(value: string): string {
  if (PLAIN.test(value)) return value
  if (value === '' || OBEYED.test(value) || /[\t\n]/.test(value) || value.startsWith('-')) return '<…>'
  return `'${value.replaceAll("'", "'\\''")}'`
}

/** Letters of any script are plain, because ids are made from titles. */
const PLAIN = /^[\p{L}\p{N}_./][\p{L}\p{M}\p{N}\w.,:@%+/-]*$/u
