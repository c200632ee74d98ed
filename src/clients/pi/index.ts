import type { Client } from '../contract/client.ts'
import { firstText } from '../shared/transcript/first-text.ts'
import { ask } from './ask.ts'
import { health } from './health.ts'
import { piHooks } from './hook-events.ts'
import { handoff, native, prepare } from './launch.ts'
import {
  folders,
  hasSession,
  heldElsewhere,
  insideOf,
  isNamedAfter,
  locate,
  transcriptPath,
} from './locate.ts'
import { mcpEntry } from './mcp-entry.ts'
import { commandBody, pluginFile, renderCommand } from './pack.ts'
import { personal } from './personal.ts'
import { readTranscript, refersBack } from './read/index.ts'
import { tools } from './tools.ts'
import { turnStart } from './turn-start.ts'

/** Pi asks nobody before its agent runs a tool, so there are no rules to write: no `unasked`, no `settings`. */
export const pi: Client = {
  id: 'pi',
  name: 'Pi',
  tested: ['1.5.2'],
  install: 'npm install -g @earendil-works/pi-coding-agent',
  sessions: {
    locate,
    folders,
    transcriptPath,
    hasSession,
    isNamedAfter,
    heldElsewhere,
    currentSession: insideOf,
  },
  reading: {
    read: readTranscript,
    turnStart,
    refersBack,
    sessionId: (bytes) => firstText(bytes, (record) => record.type === 'session' && record.id),
  },
  tools,
  pack: {
    folders: ['.pi/prompts', '.pi/extensions'],
    trustQuestion:
      'Pi loads no command of ours before you have said that you trust the folder: start `pi` here once',
    command: renderCommand,
    files: (shipped) => [pluginFile(shipped)],
    commandBody,
  },
  hooks: piHooks,
  launch: {
    shellVariables: ['PI_CODING_AGENT', 'PI_SESSION_ID', 'PI_SESSION_FILE'],
    native,
    handoff,
    prepare,
    showsAtResume: true,
  },
  personal,
  mcpEntry,
  questions: { ask },
  health: { findings: health },
}
