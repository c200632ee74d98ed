import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import type { ClientFacts } from '../contract/client.ts'
import { AGENT_CALL } from '../shared/setup/allowed-calls.ts'
import { fillIn, markdownFile } from '../shared/setup/command-file.ts'
import { serverEntry, serversIn } from '../shared/setup/mcp-entry.ts'
import { readSettings } from '../shared/setup/settings-files.ts'

/** The folder of the person's settings of OpenCode, `~/.config/opencode`. */
function configFolder({ env, home }: Environment): string {
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode')
}

/** The plugin adds our permissions to the person's own when OpenCode starts, so there is no `settings`. */
export const facts: ClientFacts = {
  id: 'opencode',
  name: 'OpenCode',
  tested: ['1.18.33'],
  install: 'npm install -g opencode-ai',
  tools: {
    vocabulary: {
      read: { reads: 'filePath' },
      write: { writes: 'filePath' },
      edit: { edits: 'filePath' },
      multiedit: { edits: 'filePath' },
      apply_patch: { patches: 'patchText' },
      grep: { searches: 'path' },
      bash: { shell: 'command' },
    },
    // OpenCode cuts an output of more than 50 KiB or 2,000 lines, and names a file with the whole output (1.18.33).
    shellOutput: { bytes: 50_000, lines: 1_990 },
    mcpServers(environment, folder) {
      const files = [configFolder(environment), folder, join(folder, '.opencode')].flatMap((directory) =>
        ['opencode.json', 'opencode.jsonc'].map((name) => join(directory, name)),
      )
      return serversIn(files.map(readSettings), 'mcp')
    },
  },
  pack: {
    folders: ['.opencode/commands', '.opencode/plugins'],
    // A dot stays in the name, and the person types it (observed on 1.18.33).
    command: ({ name, description, body }) =>
      markdownFile(
        `.opencode/commands/${name}.md`,
        { description: JSON.stringify(description) },
        body.trim(),
      ),
    // The plugin file, which is built from plugin/.
    files: (shipped) => [
      { path: '.opencode/plugins/cortext.js', content: shipped('dist/opencode-plugin.js') },
    ],
    commandBody: ({ body }, args) => fillIn(body.trim(), args),
  },
  unasked: AGENT_CALL,
  personal: { folder: configFolder, place: (path) => path.replace(/^\.opencode\//, '') },
  // The client reads this file even if there is an `opencode.jsonc`.
  mcpEntry: serverEntry(
    'opencode',
    {
      file: 'opencode.json',
      haveComments: true,
      haveTrailingCommas: true,
      // If this key is missing, the client adds it at its next start (1.18.33).
      blank: { $schema: 'https://opencode.ai/config.json' },
    },
    {
      servers: 'mcp',
      entry: { type: 'local', command: ['cortext', 'mcp'], enabled: true },
      variables: 'environment',
    },
  ),
}
