import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { type ParseError, parse } from 'jsonc-parser'
import type { Environment } from '../../../io/environment.ts'
import { MAX_TEXT } from '../../../io/inside.ts'
import { readText } from '../../../io/regular-file.ts'
import { type Fields, fieldsOf } from '../transcript/fields.ts'

/**
 * Reads a client's settings file. Comments and trailing commas are allowed, as in OpenCode and Gemini CLI. The result
 * is empty when there is no file, or when the file is malformed: only its owner can correct it. A link is followed, as
 * the client follows it. Cortext shows and keeps only values that it asks for by name.
 */
export function readSettings(path: string): Fields {
  const errors: ParseError[] = []
  try {
    const text = readText(path, MAX_TEXT)?.replace(/^\uFEFF/, '') ?? ''
    const settings: unknown = parse(text, errors, { allowTrailingComma: true })
    return errors.length === 0 ? fieldsOf(settings) : {}
  } catch {
    return {}
  }
}

/** The value of a dotted key, from the first of `paths` that has it, with the path of that file. */
export function settingOf(
  paths: readonly string[],
  key: string,
): { value: unknown; path: string } | undefined {
  for (const path of paths) {
    const value = key.split('.').reduce<unknown>((fields, part) => fieldsOf(fields)[part], readSettings(path))
    if (value !== undefined) return { value, path }
  }
  return undefined
}

/** The path in a setting or a variable, which may begin with `~` or be relative to `base`. */
export function absolute({ home }: Environment, path: string, base: string): string {
  return resolve(base, path.replace(/^~(?=$|[/\\])/, home || homedir()))
}

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
