import { replaceInvisible } from './invisible.ts'

/**
 * A value as JSON without anything that a terminal obeys, without invisible characters, and with the line breaks of the
 * indent only. JSON itself escapes only C0. This function also escapes DEL, C1, U+2028, U+2029, the marks that turn the
 * direction of writing, and the characters that invisible.ts removes. Parsing the result gives the same value.
 */
export function asJson(value: unknown, indent?: number): string {
  const json = JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    escaped,
  )
  return replaceInvisible(json, escaped)
}

function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

/** The value of a text of JSON; undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The text of a string of JSON; '' if this is none, such as one with a wrong escape. */
export function textInQuotes(quoted: string): string {
  const text = parseJson(quoted)
  return typeof text === 'string' ? text : ''
}
