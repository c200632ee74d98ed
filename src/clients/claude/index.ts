import type { Client } from '../client.ts'
import { addHooks, removeHooks, settingsFile } from './hooks.ts'
import { launch } from './launch.ts'
import { insideOf, locate, sideFolder, transcriptPath } from './locate.ts'
import { commandBody, renderCommand } from './pack.ts'
import { readTranscript } from './read/index.ts'

export const claude: Client = {
  id: 'claude',
  name: 'Claude Code',
  tested: ['2.1.197', '2.1.330'],
  install: 'npm install -g @anthropic-ai/claude-code',
  locate,
  transcriptPath,
  sideFolder,
  insideOf,
  read: readTranscript,
  renderCommand,
  commandBody,
  settingsFile,
  addHooks,
  removeHooks,
  launch,
}
