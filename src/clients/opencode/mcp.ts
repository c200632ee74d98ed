import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Place } from '../../io/place.ts'
import { type Fields, fieldsOf } from '../shape.ts'

/** Names of the MCP servers that are configured for a folder: by the project, or for this person everywhere. */
export function mcpServers(place: Place, folder: string): string[] {
  const own = join(place.env.XDG_CONFIG_HOME || join(place.home, '.config'), 'opencode')
  const files = [own, folder, join(folder, '.opencode')].flatMap((one) =>
    ['opencode.json', 'opencode.jsonc'].map((name) => join(one, name)),
  )
  return [...new Set(files.flatMap((file) => Object.keys(fieldsOf(readJson(file).mcp))))]
}

function readJson(path: string): Fields {
  try {
    return fieldsOf(JSON.parse(withoutComments(readFileSync(path, 'utf8'))))
  } catch {
    // No such file, or one that only its owner can mend: then it names no servers.
    return {}
  }
}

/** Comments and trailing commas, which OpenCode allows, outside of strings. */
function withoutComments(text: string): string {
  return text
    .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string) => string ?? '')
    .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_, string) => string ?? '')
}
