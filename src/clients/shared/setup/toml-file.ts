import { readRegular } from '../../../io/inside.ts'
import { type Fields, fieldsOf } from '../transcript/fields.ts'

/**
 * Reads a client's settings file. The result is empty when there is no file, or when it is no TOML, with which Codex CLI
 * does not start either. A link is followed, as the client does: nothing of the file is shown or kept but what
 * we ask for by name.
 */
export function readToml(path: string): Fields {
  try {
    const text = readRegular(path) ?? ''
    if (text.trim() === '') return {}
    // It loads at the first file: few verbs read one, and all of them load the clients.
    const { parse } = require('smol-toml') as typeof import('smol-toml')
    return fieldsOf(parse(text, { integersAsBigInt: 'asNeeded' }))
  } catch {
    return {}
  }
}
