import { MAX_TEXT } from '../../../io/inside.ts'
import { readText } from '../../../io/regular-file.ts'
import { type Fields, fieldsOf } from '../transcript/fields.ts'

/**
 * Reads a client's settings file. The result is empty when there is no file, or when it is not TOML (then Codex CLI
 * does not start). A link is followed, as the client follows it. Cortext shows and keeps only values that it asks for
 * by name.
 */
export function readToml(path: string): Fields {
  try {
    const text = readText(path, MAX_TEXT) ?? ''
    if (text.trim() === '') return {}
    // The parser is loaded only here: every verb loads the clients, but few read such a file.
    const { parse } = require('smol-toml') as typeof import('smol-toml')
    return fieldsOf(parse(text, { integersAsBigInt: 'asNeeded' }))
  } catch {
    return {}
  }
}
