import { dirname, isAbsolute, relative, sep } from 'node:path'
import { realFolder } from '../../../io/real-folder.ts'
import type { ClientTools } from '../../../session/tool-use.ts'
import { readSettings } from '../setup/settings-files.ts'

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

/**
 * What `trustedFolders.json` of a client of this family decides about a folder: its longest path that contains the folder
 * counts. Undefined when no path does.
 */
export function trustIn(file: string, folder: string): boolean | undefined {
  const [nearest] = Object.entries(readSettings(file))
    .filter(([path, level]) => contains(level === 'TRUST_PARENT' ? dirname(path) : path, folder))
    .sort(([a], [b]) => b.length - a.length)
  if (nearest?.[1] === 'DO_NOT_TRUST') return false
  return nearest?.[1] === 'TRUST_FOLDER' || nearest?.[1] === 'TRUST_PARENT' ? true : undefined
}

function contains(folder: string, inner: string): boolean {
  const relativePath = relative(realFolder(folder), realFolder(inner))
  return relativePath !== '..' && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath)
}
