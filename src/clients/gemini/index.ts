import type { Client } from '../contract/client.ts'
import { commandBody } from '../shared/genai/named-command.ts'
import { AGENT_CALL } from '../shared/setup/allowed-calls.ts'
import { ask } from './ask.ts'
import { readHeading, subagentOf } from './heading.ts'
import { health, retention } from './health.ts'
import { geminiHooks } from './hook-events.ts'
import { addHooks, removeHooks, SETTINGS_FILE } from './hook-settings.ts'
import { handoff, native } from './launch.ts'
import {
  folders,
  hasSession,
  isNamedAfter,
  launchedAs,
  locate,
  outputsFolder,
  sideFiles,
  sideFolder,
  transcriptPath,
} from './locate.ts'
import { mcpEntry } from './mcp-entry.ts'
import { renderCommand } from './pack.ts'
import { personal } from './personal.ts'
import { policyFile } from './policy.ts'
import { readTranscript, refersBack } from './read/index.ts'
import { tools } from './tools.ts'
import { turnStart } from './turn-start.ts'

export const gemini: Client = {
  id: 'gemini',
  name: 'Gemini CLI',
  tested: ['0.61.0'],
  install: 'npm install -g @google/gemini-cli',
  sessions: {
    locate,
    folders,
    transcriptPath,
    hasSession,
    isNamedAfter,
    sideFolder,
    sideFiles,
    outputsFolder,
    retention,
  },
  reading: {
    read: readTranscript,
    turnStart,
    refersBack,
    sessionId: (bytes) => readHeading(bytes, new Uint8Array()).nativeId || undefined,
    subagentOf,
  },
  tools,
  pack: { folders: ['.gemini'], command: renderCommand, files: () => [policyFile()], commandBody },
  hooks: geminiHooks,
  unasked: AGENT_CALL,
  launch: { shellVariables: ['GEMINI_CLI'], native, handoff, findLaunched: launchedAs, showsAtResume: true },
  settings: { file: SETTINGS_FILE, haveComments: true, add: addHooks, remove: removeHooks },
  personal,
  mcpEntry,
  questions: { ask },
  health: { findings: health },
}
