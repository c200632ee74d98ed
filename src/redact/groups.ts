import { shareOfWords } from './random.ts'

/**
 * The password or secret in groups of four letters at an offset: `abcd efgh ijkl mnop`, as Google and Apple write a
 * password for one program, the base32 of a second factor, or a key of recovery. Four words are none.
 */
export function groupedAt(text: string, from: number): string | undefined {
  GROUPS.lastIndex = from
  const value = GROUPS.exec(text)?.[0]
  if (value === undefined || /^abcd.efgh/i.test(value) || new Set(value).size < 7) return undefined
  const isKey = /^[0-9-]+$/.test(value) || /(?:[A-Za-z][^A-Za-z]*){8}/.test(value)
  return isKey && (/^[0-9-]+$/.test(value) || shareOfWords(value) < 0.5) ? value : undefined
}

const GROUPS =
  /(?:[a-z]{4}([ -])[a-z]{4}(?:\1[a-z]{4}){2}|[a-z2-7]{4}(?: [a-z2-7]{4}){3,15}|[A-Z2-7]{4}(?: [A-Z2-7]{4}){3,15}|[A-Za-z0-9]{4}(?: [A-Za-z0-9]{4}){5,15}|[0-9]{6}(?:-[0-9]{6}){7})(?![A-Za-z0-9])/y
