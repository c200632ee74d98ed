import type { ClientTools } from '../../../session/tool-use.ts'

/** The tools that the clients of this family have under the same names. */
export const TOOLS: ClientTools = {
  read_file: { reads: ['file_path', 'absolute_path'] },
  read_many_files: { reads: 'paths' },
  write_file: { writes: 'file_path' },
  grep_search: { searches: 'path' },
  // Older versions call this tool so.
  search_file_content: { searches: 'path' },
  run_shell_command: { shell: 'command' },
}
