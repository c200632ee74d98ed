import type { Client } from '../contract/client.ts'
import { AGENT_CALL } from '../shared/setup/allowed-calls.ts'
import { firstText } from '../shared/transcript/first-text.ts'
import { ask } from './ask.ts'
import { subagentOf } from './heading.ts'
import { health, retention } from './health.ts'
import { claudeHooks } from './hook-events.ts'
import { addHooks, removeHooks, SETTINGS_FILE } from './hook-settings.ts'
import { handoff, native } from './launch.ts'
import {
  folders,
  hasSession,
  heldElsewhere,
  insideOf,
  locate,
  sideFiles,
  sideFolder,
  transcriptPath,
} from './locate.ts'
import { mcpEntry } from './mcp-entry.ts'
import { commandBody, renderCommand } from './pack.ts'
import { addPermissions, removePermissions } from './permissions.ts'
import { personal } from './personal.ts'
import { readTranscript, refersBack } from './read/index.ts'
import { pieceEnd } from './read/piece-end.ts'
import { tools } from './tools.ts'
import { turnStart } from './turn-start.ts'

export const claude: Client = {
  id: 'claude',
  name: 'Claude Code',
  tested: ['2.1.197', '2.1.330'],
  install: 'npm install -g @anthropic-ai/claude-code',
  sessions: {
    locate,
    folders,
    transcriptPath,
    hasSession,
    heldElsewhere,
    sideFolder,
    sideFiles,
    currentSession: insideOf,
    retention,
  },
  reading: {
    read: readTranscript,
    turnStart,
    refersBack,
    pieceEnd,
    sessionId: (bytes) => firstText(bytes, (record) => record.sessionId),
    subagentOf,
  },
  tools,
  pack: { folders: ['.claude/commands'], command: renderCommand, commandBody },
  hooks: claudeHooks,
  unasked: AGENT_CALL,
  launch: { shellVariables: ['CLAUDECODE', 'CLAUDE_CODE_SESSION_ID'], native, handoff, showsAtResume: true },
  settings: {
    file: SETTINGS_FILE,
    add: (settings) => addPermissions(addHooks(settings)),
    remove: (settings) => removePermissions(removeHooks(settings)),
  },
  personal,
  mcpEntry,
  questions: { ask },
  health: { findings: health },
}
