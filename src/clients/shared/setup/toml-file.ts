import { readRegular } from '../../../io/inside.ts'
import { type Fields, fieldsOf } from '../transcript/fields.ts'

/**
 * Reads a client's settings file. The result is empty when there is no file, or when it is not TOML (Codex CLI then
 * does not start either). A link is followed, as the client does: of the file we show and keep only the values that we
 * ask for by name.
 */
export function readToml(path: string): Fields {
  try {
    const text = readRegular(path) ?? ''
    if (text.trim() === '') return {}
    // The parser is loaded with the first file: few verbs read such a file, but every verb loads the clients.
    const { parse } = require('smol-toml') as typeof import('smol-toml')
    return fieldsOf(parse(text, { integersAsBigInt: 'asNeeded' }))
  } catch {
    return {}
  }
}
