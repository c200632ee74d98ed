import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import type { ClientFacts } from '../contract/client.ts'
import { descriptionOf, fillIn, markdownFile } from '../shared/setup/command-file.ts'
import { serverEntry, serversIn } from '../shared/setup/mcp-entry.ts'
import { absolute, readSettings } from '../shared/setup/settings-files.ts'

/** Pi's own folder, `~/.pi/agent`. */
export function ownFolder(environment: Environment): string {
  const given = environment.env.PI_CODING_AGENT_DIR
  return given ? absolute(environment, given, environment.cwd) : join(environment.home, '.pi', 'agent')
}

/** Pi asks nobody before its agent runs a tool, so there are no rules to write: no `unasked`, no `settings`. */
export const facts: ClientFacts = {
  id: 'pi',
  name: 'Pi',
  tested: ['1.5.2'],
  install: 'npm install -g @earendil-works/pi-coding-agent',
  tools: {
    vocabulary: {
      read: { reads: 'path' },
      write: { writes: 'path' },
      edit: { edits: 'path' },
      grep: { searches: 'path' },
      bash: { shell: 'command' },
      powershell: { shell: 'command' },
    },
    // Pi keeps the end of an output of more than 50 KiB or 2,000 lines, and names a file with the whole (1.5.2).
    shellOutput: { bytes: 50_000, lines: 1_990 },
    // Extensions of others may bring subagents; each keeps them in its own way.
    noSubagents: true,
    mcpServers: (environment, folder) =>
      serversIn(
        [join(folder, '.pi', 'mcp.json'), join(ownFolder(environment), 'mcp.json')].map(readSettings),
      ),
  },
  pack: {
    folders: ['.pi/prompts', '.pi/extensions'],
    trustQuestion:
      'Pi loads no command of ours before you have said that you trust the folder: start `pi` here once',
    // A dot stays in the name, and the person types it (1.5.2).
    command: (command) =>
      markdownFile(
        `.pi/prompts/${command.name}.md`,
        descriptionOf(command),
        fillIn(inert(command.body), '$ARGUMENTS'),
      ),
    // The extension's file, which is built from plugin/.
    files: (shipped) => [{ path: '.pi/extensions/cortext.js', content: shipped('dist/pi-plugin.js') }],
    commandBody: ({ body }, args) => fillIn(inert(body), args),
  },
  personal: { folder: ownFolder, place: (path) => path.replace(/^\.pi\//, '') },
  // Pi reads it in a trusted project.
  mcpEntry: serverEntry('pi', { file: '.pi/mcp.json' }),
}

/**
 * The body without the places that Pi would fill in, apart from `$ARGUMENTS`: `$@`, `$1` and `${…}`. Pi takes quotes out of
 * the arguments, and runs nothing (1.5.2).
 */
function inert(body: string): string {
  return body.trim().replace(/\$(?=[@\d{])/g, '$ ')
}
