import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { codexHome } from './home.ts'

/**
 * The names of the MCP servers that are configured for a folder: by the project, or for this person everywhere. Only
 * keys of the settings are looked at, so no TOML has to be understood.
 */
export function mcpServers(environment: Environment, folder: string): string[] {
  const files = [join(folder, '.codex', 'config.toml'), join(codexHome(environment), 'config.toml')]
  return [...new Set(files.flatMap((file) => namesIn(textOf(file))))]
}

/** `[mcp_servers.name]`, `mcp_servers.name.command = …`, and `name = {…}` below `[mcp_servers]`. */
function namesIn(settings: string): string[] {
  let table = ''
  return settings.split('\n').flatMap((line) => {
    const [, header] = /^\s*\[([^[\]]+)\]/.exec(line) ?? []
    if (header !== undefined) table = header
    const [, key] = /^\s*([\w."'\s-]+?)\s*=/.exec(line) ?? []
    if (header === undefined && key === undefined) return []
    const path = header ?? (table === '' ? key : `${table}.${key}`)
    const [, ...quoted] = SERVER.exec(path!) ?? []
    return quoted.find(Boolean) ?? []
  })
}

const SERVER = /^\s*["']?mcp_servers["']?\s*\.\s*(?:"([^"]+)"|'([^']+)'|([\w-]+))/

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // The file is not there or cannot be read, so it names nothing.
    return ''
  }
}
