import type { Client } from '../client.ts'
import { ask } from './ask.ts'
import { health, retention } from './health.ts'
import { addHooks, removeHooks, settingsFile } from './hook-settings.ts'
import { launch } from './launch.ts'
import { hasSession, launchedAs, locate, outputsFolder, sideFolder, transcriptPath } from './locate.ts'
import { mcpServers } from './mcp.ts'
import { commandBody, renderCommand } from './pack.ts'
import { policyFile } from './policy.ts'
import { readTranscript } from './read/index.ts'
import { turnStart } from './turn-start.ts'

/** Of a longer output the model gets the first 8,000 and the last 32,000 characters (0.61.0). */
const SHELL_OUTPUT_LIMIT = 39_000

export const gemini: Client = {
  id: 'gemini',
  name: 'Gemini CLI',
  tested: ['0.61.0'],
  install: 'npm install -g @google/gemini-cli',
  locate,
  transcriptPath,
  hasSession,
  sideFolder,
  outputsFolder,
  launchedAs,
  // No variable tells a shell command which session it runs in: our hooks note whose process they run under.
  insideOf: () => undefined,
  shellOutputLimit: SHELL_OUTPUT_LIMIT,
  turnStart,
  mcpServers,
  read: readTranscript,
  renderCommand,
  commandBody,
  files: () => [policyFile()],
  settingsFile,
  settingsHaveComments: true,
  addHooks,
  removeHooks,
  health,
  retention,
  launch,
  ask,
}
