import type { Tools } from '../contract/tools.ts'
import { mcpServers } from './mcp.ts'

export const tools: Tools = {
  vocabulary: {
    exec_command: { shell: 'cmd' },
    shell_command: { shell: 'command' },
    apply_patch: { patches: 'input' },
    // Our reader gives this name to what a person runs by `!cmd`.
    'bash-mode': { shell: 'command' },
  },
  // The model gets about 40 KB of a longer output, without its middle (0.169.0).
  shellOutput: { bytes: 9_000 },
  mcpServers,
}
