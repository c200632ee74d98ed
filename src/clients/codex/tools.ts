import type { Tools } from '../contract/tools.ts'
import { mcpServers } from './mcp.ts'

export const tools: Tools = {
  vocabulary: {
    exec_command: { shell: 'cmd' },
    shell_command: { shell: 'command' },
    view_image: { reads: 'path' },
    apply_patch: { patches: 'input' },
    // Our reader gives this name to what a person runs by `!cmd`.
    'bash-mode': { shell: 'command' },
  },
  // A model that Codex does not know gets 10,000 bytes of a longer output, others 10,000 tokens (0.169.0).
  shellOutput: { bytes: 9_000 },
  mcpServers,
}
