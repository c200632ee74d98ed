import { CortextError } from '../../../errors.ts'
import { dateOf, endOf } from '../../option-values.ts'

/** The arguments of a call as a model wrote them. They may be anything, whatever the schema says. */
export type Arguments = Readonly<Record<string, unknown>>

/** In characters. A longer text is refused: it is a mistake, and a search for it would take long. */
const MAX_TEXT = 1000
/** In characters, for all texts of a list together: a search reads no more than this. */
const MAX_TEXTS = 2000

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
  checkLength(name, value.length, MAX_TEXT)
  return value
}

/** Returns the texts of a list, without empty ones. A single text counts as a list. Throws `usage`. */
export function textsIn(given: Arguments, name: string): string[] {
  const value = givenIn(given, name)
  const list = Array.isArray(value) ? value : typeof value === 'string' ? listIn(value) : [value ?? '']
  const texts = list.map((one) => {
    if (typeof one !== 'string')
      throw new CortextError('usage', `"${name}" is not a list of texts`, {
        fix: `"${name}": ["one wording", "another wording"]`,
      })
    checkLength(name, one.length, MAX_TEXT)
    return one.trim()
  })
  checkLength(name, texts.join('\n').length, MAX_TEXTS)
  return texts.filter((text) => text !== '')
}

/** Some models write a list as JSON in a text. */
function listIn(text: string): unknown[] {
  if (!text.trim().startsWith('["')) return [text]
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list : [text]
  } catch {
    return [text]
  }
}

function checkLength(name: string, length: number, max: number): void {
  if (length > max)
    throw new CortextError('usage', `"${name}" has ${length} characters, and at most ${max} are allowed`)
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

/**
 * Returns the time of a date, or undefined if it is absent. With `end`, returns the last millisecond of a day, month or
 * year. Throws `usage`.
 */
export function dateIn(given: Arguments, name: string, { end = false } = {}): Date | undefined {
  const text = optionalText(given, name)
  if (text === undefined) return undefined
  return (end ? endOf : dateOf)(text, `"${name}": "2026-11-21"`)
}

/** Null counts as absent: some models fill in every argument. */
function givenIn(given: Arguments, name: string): unknown {
  return Object.hasOwn(given, name) ? (given[name] ?? undefined) : undefined
}
