import { readFileSync } from 'node:fs'
import { type ParseError, parse } from 'jsonc-parser'
import { type Fields, fieldsOf } from '../transcript/fields.ts'

/**
 * Reads a client's settings file. Comments and trailing commas are allowed, as in OpenCode and Gemini CLI. The result
 * is empty when there is no file, or when it is malformed and only its owner can correct it.
 */
export function readSettings(path: string): Fields {
  const errors: ParseError[] = []
  try {
    const settings: unknown = parse(textOf(path), errors, { allowTrailingComma: true })
    return errors.length === 0 ? fieldsOf(settings) : {}
  } catch {
    return {}
  }
}

function textOf(path: string): string {
  return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
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
