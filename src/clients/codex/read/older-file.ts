import { parseForeign } from '../../../text/nesting.ts'
import { isObject } from '../../shared/transcript/fields.ts'

/**
 * Makes a transcript from a session file of the first Codex CLI (2025, written in TypeScript): one JSON object with the
 * session's metadata and the items of the request, without times. Undefined for any other text.
 */
export function fromOlderFile(text: string): string | undefined {
  if (!/^\ufeff?\s*\{/.test(text)) return undefined
  try {
    const file: unknown = parseForeign(text.replace(/^\ufeff/, ''))
    if (!isObject(file) || !isObject(file.session) || !Array.isArray(file.items)) return undefined
    return [file.session, ...file.items].map((record) => `${JSON.stringify(record)}\n`).join('')
  } catch {
    // The text is not one JSON object.
    return undefined
  }
}
