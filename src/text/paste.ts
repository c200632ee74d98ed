import { OBEYED } from './line.ts'

/**
 * Makes a text with a command that a person may copy: each value that is put in becomes one word of a shell, quoted
 * where it has to be. So an id or a path that came with a clone is never more than a word. Every `fix` with a value in
 * it is made by this.
 */
export function paste(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return parts.reduce((text, part, place) => `${text}${asWord(values[place - 1]!)}${part}`)
}

/**
 * A value as one word of sh. A value that a terminal would obey or a program would take for an option cannot be copied;
 * it becomes `<…>`.
 */
export function asWord(value: string): string {
  if (PLAIN.test(value)) return value
  if (value === '' || OBEYED.test(value) || /[\t\n]/.test(value) || value.startsWith('-')) return '<…>'
  return `'${value.replaceAll("'", "'\\''")}'`
}

/** Letters of any script: ids are made from titles. */
const PLAIN = /^[\p{L}\p{N}_./][\p{L}\p{M}\p{N}\w.,:@%+/-]*$/u
