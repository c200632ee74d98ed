import { CortextError } from '../../errors.ts'
import { isTooDeep } from '../../text/nesting.ts'

export type JsonObject = Record<string, unknown>

/** Parses a JSON object. An empty text gives an empty object. Throws `corrupt` with the path for any other text. */
export function parseJsonObject(text: string, path: string): JsonObject {
  const bare = text.replace(/^\uFEFF/, '')
  if (bare.trim() === '') return {}
  if (isTooDeep(bare)) throw corrupt(path, 'is nested too deeply')
  try {
    const value: unknown = JSON.parse(bare)
    if (isObject(value)) return value
  } catch (error) {
    const what = error instanceof Error ? error.message : 'unreadable'
    throw corrupt(path, `is not valid JSON: ${what}`, error)
  }
  throw corrupt(path, 'does not contain a JSON object')
}

/**
 * Writes an object as JSON with the indentation, line breaks, BOM and last newline of the old text. Without an old
 * text, it has two spaces and a last newline.
 */
export function formatLike(value: JsonObject, old: string | undefined): string {
  if (old === undefined || old.trim() === '') return `${JSON.stringify(value, undefined, 2)}\n`
  const indent = /\n([ \t]+)\S/.exec(old)?.[1] ?? (old.trim() === '{}' ? '  ' : '')
  const text = JSON.stringify(value, undefined, indent) + (/\s$/.test(old) ? '\n' : '')
  return (
    (old.startsWith('\uFEFF') ? '\uFEFF' : '') + (old.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text)
  )
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function corrupt(path: string, what: string, cause?: unknown): CortextError {
  return new CortextError('corrupt', `${path} ${what}`, {
    fix: 'mend the file in an editor, or move it away, and run the command again',
    cause,
  })
}
