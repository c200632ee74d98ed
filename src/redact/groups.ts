import { shareOfWords } from './random.ts'

/**
 * The password or secret in groups of four letters at an offset: `abcd efgh ijkl mnop`, as Google and Apple write a
 * password for one program, or the base32 of a second factor. Four words are none.
 */
export function groupedAt(text: string, from: number): string | undefined {
  GROUPS.lastIndex = from
  const value = GROUPS.exec(text)?.[0]
  if (
    value === undefined ||
    /^abcd.efgh/i.test(value) ||
    new Set(value).size < 7 ||
    value.replace(/[^A-Za-z]/g, '').length < 8
  )
    return undefined
  return shareOfWords(value) < 0.5 ? value : undefined
}

const GROUPS =
  /(?:[a-z]{4}([ -])[a-z]{4}(?:\1[a-z]{4}){2}|[a-z2-7]{4}(?: [a-z2-7]{4}){3,15}|[A-Z2-7]{4}(?: [A-Z2-7]{4}){3,15})(?![A-Za-z0-9])/y
