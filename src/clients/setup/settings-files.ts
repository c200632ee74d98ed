import { readFileSync } from 'node:fs'
import { type Fields, fieldsOf } from '../transcript/fields.ts'

/**
 * A client's settings file, comments and trailing commas allowed, as OpenCode and Gemini CLI allow them. Empty when
 * there is none, or one that only its owner can mend: then it says nothing.
 */
export function readSettings(path: string): Fields {
  try {
    return fieldsOf(JSON.parse(withoutComments(readFileSync(path, 'utf8'))))
  } catch {
    return {}
  }
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

/** Outside of strings. */
function withoutComments(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string) => string ?? '')
    .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_, string) => string ?? '')
}
