import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Place } from '../../io/place.ts'
import { type Fields, fieldsOf } from '../shape.ts'

/** Names of the MCP servers that are configured for a folder: by the project, or for this person everywhere. */
export function mcpServers(place: Place, folder: string): string[] {
  const files = [folder, place.env.GEMINI_CLI_HOME || place.home].map((where) =>
    join(where, '.gemini', 'settings.json'),
  )
  return [...new Set(files.flatMap((file) => Object.keys(fieldsOf(readJson(file).mcpServers))))]
}

function readJson(path: string): Fields {
  try {
    return fieldsOf(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    // No such file, or one that only its owner can mend: then it names no servers.
    return {}
  }
}
