import type { Client } from '../client.ts'
import { ask } from './ask.ts'
import { hasSession } from './has-session.ts'
import { launch } from './launch.ts'
import { insideOf, locate, sideFolder, transcriptPath } from './locate.ts'
import { mcpServers } from './mcp.ts'
import { commandBody, renderCommand } from './pack.ts'
import { prepare } from './prepare.ts'
import { readTranscript } from './read/index.ts'
import { refresh } from './refresh.ts'
import { newSessionId } from './seed.ts'
import { turnStart } from './turn-start.ts'

/** More is cut, and the whole named as a file: 50 KiB or 2,000 lines (1.18.33). */
const SHELL_OUTPUT_LIMIT = 50_000
const SHELL_OUTPUT_LINES = 1_990

export const opencode: Client = {
  id: 'opencode',
  name: 'OpenCode',
  tested: ['1.18.33'],
  install: 'npm install -g opencode-ai',
  locate,
  transcriptPath,
  hasSession,
  refresh,
  sideFolder,
  insideOf,
  shellOutputLimit: SHELL_OUTPUT_LIMIT,
  shellOutputLines: SHELL_OUTPUT_LINES,
  turnStart,
  mcpServers,
  read: readTranscript,
  renderCommand,
  commandBody,
  files: (shipped) => [
    // Built from plugin/.
    { path: '.opencode/plugins/cortext.js', content: shipped('dist/opencode-plugin.js') },
  ],
  // The plugin adds our permissions to the person's own when OpenCode starts: no settings file is touched.
  settingsFile: () => undefined,
  addHooks: (settings) => settings,
  removeHooks: (settings) => settings,
  newSessionId,
  launch,
  prepare,
  ask,
}
