import type { ClientTools, ToolVocabulary } from '../session/tool-use.ts'
import { readerList } from './index.ts'

/** The effects of the tools of every client, as data for the code that reads tool calls. */
export function toolVocabulary(): ToolVocabulary {
  const byClient = readerList().map(({ id, tools }) => [id, tools.vocabulary] as const)
  return { ...Object.fromEntries(byClient), '': OTHERS }
}

/** Common names of the tools of MCP servers and agent loops. */
const OTHERS: ClientTools = {
  write_file: { writes: 'path' },
  create: { writes: 'path' },
  create_file: { writes: 'path' },
  save_file: { writes: 'path' },
  apply_patch: { patches: ['patch', 'input'] },
  search: { searches: 'path' },
  rg: { searches: 'path' },
  find_in_files: { searches: 'path' },
  shell: { shell: 'command' },
  exec: { shell: 'command' },
  execute_bash: { shell: 'command' },
  execute_command: { shell: 'command' },
}
