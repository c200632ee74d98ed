import type { Client } from '../contract/client.ts'
import { commandBody } from '../shared/genai/named-command.ts'
import { AGENT_CALL } from '../shared/setup/allowed-calls.ts'
import { firstText } from '../shared/transcript/first-text.ts'
import { ask } from './ask.ts'
import { health } from './health.ts'
import { qwenHooks } from './hook-events.ts'
import { addHooks, removeHooks, SETTINGS_FILE, settingsBlank } from './hook-settings.ts'
import { handoff, native, prepare } from './launch.ts'
import {
  folders,
  hasSession,
  heldElsewhere,
  insideOf,
  locate,
  sideFolder,
  subagentOf,
  transcriptPath,
} from './locate.ts'
import { mcpEntry } from './mcp-entry.ts'
import { renderCommand } from './pack.ts'
import { personal } from './personal.ts'
import { readTranscript, refersBack } from './read/index.ts'
import { tools } from './tools.ts'
import { turnStart } from './turn-start.ts'

export const qwen: Client = {
  id: 'qwen',
  name: 'Qwen Code',
  tested: ['0.24.4'],
  install: 'npm install -g @qwen-code/qwen-code',
  sessions: {
    locate,
    folders,
    transcriptPath,
    hasSession,
    heldElsewhere,
    sideFolder,
    currentSession: insideOf,
  },
  reading: {
    read: readTranscript,
    turnStart,
    refersBack,
    sessionId: (bytes) => firstText(bytes, (record) => record.sessionId),
    subagentOf,
  },
  tools,
  pack: { folders: ['.qwen/commands'], command: renderCommand, commandBody },
  hooks: qwenHooks,
  // By our hook, and in a terminal only. The client's rules compare only the beginning of a command, so a rule for our calls
  // would also allow `cortext agent list > file`.
  unasked: AGENT_CALL,
  launch: { shellVariables: ['QWEN_CODE', 'QWEN_CODE_SESSION_ID'], native, handoff, prepare },
  settings: {
    file: SETTINGS_FILE,
    haveComments: true,
    blank: settingsBlank,
    add: addHooks,
    remove: removeHooks,
  },
  mcpEntry,
  personal,
  questions: { ask },
  health: { findings: health },
}
