import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Place } from '../../io/place.ts'

/** Names of the MCP servers that are configured for a folder: by the project, for this person in it, or everywhere. */
export function mcpServers(place: Place, folder: string): string[] {
  const config = place.env.CLAUDE_CONFIG_DIR
  const own = readJson(join(config || place.home, '.claude.json'))
  const project = fields(fields(own.projects)[folder])
  const named = [readJson(join(folder, '.mcp.json')), own, project].map((one) =>
    Object.keys(fields(one.mcpServers)),
  )
  return [...new Set(named.flat())]
}

function readJson(path: string): Record<string, unknown> {
  try {
    return fields(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    // No such file, or one that only its owner can mend: then it names no servers.
    return {}
  }
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
