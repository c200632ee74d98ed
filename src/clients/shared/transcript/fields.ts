import { parseForeign } from '../../../text/nesting.ts'

/**
 * Hand-made type checks for the values in a transcript. Transcripts are long, and any value in them may have any type.
 */

export type Fields = Record<string, unknown>

const EMPTY: Fields = Object.freeze({})

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value if it is an object, else an empty object. */
export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : EMPTY
}

/** The value if it is a text, else ''. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The value if it is a list, else an empty one. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** The blocks of a message's content. A plain text becomes one text block. */
export function blocksOf(content: unknown): Fields[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return listOf(content).map((block) => (isObject(block) ? block : { type: 'text', text: plainText(block) }))
}

/** Any JSON value as text. `String` would throw for an array whose elements have a `toString` of their own. */
export function plainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A time as text or in milliseconds, in ISO 8601; undefined for anything else. */
export function isoTime(value: unknown): string | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : typeof value === 'number' ? value : Number.NaN
  return Math.abs(time) <= MAX_TIME ? new Date(time).toISOString() : undefined
}

/** The value of a JSON text; undefined where the text is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return parseForeign(text)
  } catch {
    return undefined
  }
}

const MAX_TIME = 8.64e15
