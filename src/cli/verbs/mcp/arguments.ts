import { CortextError } from '../../../errors.ts'

/** The arguments of a call as a model wrote them. They may be anything, whatever the schema says. */
export type Arguments = Readonly<Record<string, unknown>>

/** In characters. A longer text is refused: it is a mistake, and a search for it would take long. */
const MAX_TEXT = 1000

/** Returns a required text. Throws `usage`. */
export function textIn(given: Arguments, name: string): string {
  const value = optionalText(given, name)
  if (value !== undefined && value.trim() !== '') return value
  throw new CortextError('usage', `"${name}" is missing`)
}

/** Returns a text, or undefined if it is absent. Throws `usage` for anything else and for a text that is too long. */
export function optionalText(given: Arguments, name: string): string | undefined {
  const value = givenIn(given, name)
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw new CortextError('usage', `"${name}" is not a text`)
  if (value.length > MAX_TEXT)
    throw new CortextError(
      'usage',
      `"${name}" has ${value.length} characters, and at most ${MAX_TEXT} are allowed`,
    )
  return value
}

/** Returns a whole number from 1 on, or undefined if it is absent. Throws `usage`. */
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
