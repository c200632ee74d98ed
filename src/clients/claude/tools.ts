import type { Tools } from '../contract/tools.ts'
import { mcpServers } from './mcp.ts'

export const tools: Tools = {
  vocabulary: {
    Read: { reads: 'file_path' },
    NotebookRead: { reads: 'notebook_path' },
    Write: { writes: 'file_path' },
    Edit: { edits: 'file_path', trims: true },
    MultiEdit: { edits: 'file_path', trims: true },
    NotebookEdit: { edits: 'notebook_path' },
    Grep: { searches: 'path' },
    Bash: { shell: 'command' },
    // Our reader gives this name to what a person runs by `! cmd`.
    'bash-mode': { shell: 'command' },
  },
  // The client cuts a longer output to a preview of 2 KB and a path (30,000 on 2.1.197).
  shellOutput: { bytes: 29_000 },
  mcpServers,
}
