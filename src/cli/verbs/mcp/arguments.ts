import { CortextError } from '../../../errors.ts'

/** What a client's model has put into a call: anything, whatever the schema says. */
export type Arguments = Readonly<Record<string, unknown>>

/** Longer queries are refused: nobody means them, and a search for them would take long. In characters. */
const LONGEST = 1000

/** A text that must be there. Throws `usage`. */
export function textIn(given: Arguments, name: string): string {
  const value = optionalText(given, name)
  if (value !== undefined && value.trim() !== '') return value
  throw new CortextError('usage', `"${name}" is missing`)
}

/** A text, or undefined where there is none. Throws `usage` for anything else and for a text that is too long. */
export function optionalText(given: Arguments, name: string): string | undefined {
  const value = givenIn(given, name)
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw new CortextError('usage', `"${name}" is not a text`)
  if (value.length > LONGEST)
    throw new CortextError(
      'usage',
      `"${name}" has ${value.length} characters, and at most ${LONGEST} are taken`,
    )
  return value
}

/** A whole number from 1 on, or undefined where there is none. Throws `usage`. */
export function numberIn(given: Arguments, name: string): number | undefined {
  const value = givenIn(given, name)
  if (value === undefined) return undefined
  // Some models write numbers as texts.
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 1) return number
  throw new CortextError('usage', `"${name}" is not a whole number from 1 on`)
}

/** Null counts as absent: some models fill in every argument. */
function givenIn(given: Arguments, name: string): unknown {
  return Object.hasOwn(given, name) ? (given[name] ?? undefined) : undefined
}
