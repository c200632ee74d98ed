import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { readToml } from '../shared/setup/toml-file.ts'
import { fieldsOf } from '../shared/transcript/fields.ts'
import { codexHome } from './home.ts'

/** The names of the MCP servers that are configured for a folder: by the project, or for this person everywhere. */
export function mcpServers(environment: Environment, folder: string): string[] {
  const files = [join(folder, '.codex', 'config.toml'), join(codexHome(environment), 'config.toml')]
  return [...new Set(files.flatMap((file) => Object.keys(fieldsOf(readToml(file).mcp_servers))))]
}
