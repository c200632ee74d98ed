import type { Client } from '../client.ts'
import { ask } from './ask.ts'
import { health, retention } from './health.ts'
import { addHooks, removeHooks, settingsFile } from './hook-settings.ts'
import { launch } from './launch.ts'
import { hasSession, insideOf, locate, sideFolder, transcriptPath } from './locate.ts'
import { mcpServers } from './mcp.ts'
import { commandBody, renderCommand } from './pack.ts'
import { addPermissions, removePermissions } from './permissions.ts'
import { readTranscript } from './read/index.ts'
import { turnStart } from './turn-start.ts'

/** More is cut to a preview of 2 KB and a path (30,000 on 2.1.197). */
const SHELL_OUTPUT_LIMIT = 29_000

export const claude: Client = {
  id: 'claude',
  name: 'Claude Code',
  tested: ['2.1.197', '2.1.330'],
  install: 'npm install -g @anthropic-ai/claude-code',
  locate,
  transcriptPath,
  hasSession,
  sideFolder,
  insideOf,
  shellOutputLimit: SHELL_OUTPUT_LIMIT,
  turnStart,
  mcpServers,
  read: readTranscript,
  renderCommand,
  commandBody,
  settingsFile,
  addHooks: (settings) => addPermissions(addHooks(settings)),
  removeHooks: (settings) => removePermissions(removeHooks(settings)),
  health,
  retention,
  launch,
  ask,
}
