import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import type { Tools } from '../contract/tools.ts'
import { readToml } from '../shared/setup/toml-file.ts'
import { fieldsOf } from '../shared/transcript/fields.ts'
import { codexHome } from './home.ts'

export const tools: Tools = {
  vocabulary: {
    exec_command: { shell: 'cmd' },
    shell_command: { shell: 'command' },
    // The command is a program with its words (0.34.0 to 0.55.0).
    shell: { shell: 'command' },
    local_shell: { shell: 'command' },
    view_image: { reads: 'path' },
    apply_patch: { patches: 'input' },
    // Our reader gives this name to the shell commands that a person runs with `!cmd`.
    'bash-mode': { shell: 'command' },
  },
  // Codex cuts an output to 10,000 bytes for a model that it does not know, and to 10,000 tokens for others (0.169.0).
  shellOutput: { bytes: 9_000 },
  mcpServers,
}

/**
 * The names of the MCP servers that are configured for a folder: by the project, or by this person for all projects.
 */
export function mcpServers(environment: Environment, folder: string): string[] {
  const files = [join(folder, '.codex', 'config.toml'), join(codexHome(environment), 'config.toml')]
  return [...new Set(files.flatMap((file) => Object.keys(fieldsOf(readToml(file).mcp_servers))))]
}
