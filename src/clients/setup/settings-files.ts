import { readFileSync } from 'node:fs'
import { type ParseError, parse } from 'jsonc-parser'
import { type Fields, fieldsOf } from '../transcript/fields.ts'

/**
 * A client's settings file. Comments and trailing commas are allowed, as OpenCode and Gemini CLI allow them. The result
 * is empty when there is no file, or one that only its owner can mend.
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

/** The value of a dotted key, and the file that says so: the first of `paths` that has it. */
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
