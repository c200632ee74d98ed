import type { Tools } from '../contract/tools.ts'
import { mcpServers } from './mcp.ts'

export const tools: Tools = {
  vocabulary: {
    read_file: { reads: ['file_path', 'absolute_path'] },
    read_many_files: { reads: 'paths' },
    write_file: { writes: 'file_path' },
    replace: { edits: 'file_path' },
    // The second is the name of older versions.
    grep_search: { searches: 'path' },
    search_file_content: { searches: 'path' },
    run_shell_command: { shell: 'command' },
    // What a person runs by `! cmd`, as our reader names it.
    'bash-mode': { shell: 'command' },
  },
  // Of a longer output the model gets the first 8,000 and the last 32,000 characters (0.61.0).
  shellOutput: { bytes: 39_000 },
  mcpServers,
}
