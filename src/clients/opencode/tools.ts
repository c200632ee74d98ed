import type { Tools } from '../contract/tools.ts'
import { mcpServers } from './mcp.ts'

export const tools: Tools = {
  vocabulary: {
    read: { reads: 'filePath' },
    write: { writes: 'filePath' },
    edit: { edits: 'filePath' },
    multiedit: { edits: 'filePath' },
    apply_patch: { patches: 'patchText' },
    grep: { searches: 'path' },
    bash: { shell: 'command' },
  },
  // OpenCode cuts a longer output and names a file with the whole: 50 KiB or 2,000 lines (1.18.33).
  shellOutput: { bytes: 50_000, lines: 1_990 },
  mcpServers,
}
