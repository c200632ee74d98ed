import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Place } from '../../io/place.ts'
import { realFolder } from '../../io/real-folder.ts'
import { type Fields, fieldsOf } from '../shape.ts'

/** Names of the MCP servers that are configured for a folder: by the project, for this person in it, or everywhere. */
export function mcpServers(place: Place, folder: string): string[] {
  const config = place.env.CLAUDE_CONFIG_DIR
  const own = readJson(join(config || place.home, '.claude.json'))
  const project = fieldsOf(fieldsOf(own.projects)[realFolder(folder)])
  const named = [readJson(join(folder, '.mcp.json')), own, project].map((one) =>
    Object.keys(fieldsOf(one.mcpServers)),
  )
  return [...new Set(named.flat())]
}

function readJson(path: string): Fields {
  try {
    return fieldsOf(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    // No such file, or one that only its owner can mend: then it names no servers.
    return {}
  }
}
