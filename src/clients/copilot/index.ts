import { join } from 'node:path'
import type { Client } from '../contract/client.ts'
import { AGENT_CALL } from '../shared/setup/allowed-calls.ts'
import { fieldsOf } from '../shared/transcript/fields.ts'
import { firstText } from '../shared/transcript/first-text.ts'
import { ask } from './ask.ts'
import { health } from './health.ts'
import { copilotHooks } from './hook-events.ts'
import { addHooks, removeHooks, SETTINGS_FILE } from './hook-settings.ts'
import { handoff, native, prepare } from './launch.ts'
import { folders, givenName, hasSession, insideOf, isNamedAfter, locate, transcriptPath } from './locate.ts'
import { mcpEntry } from './mcp-entry.ts'
import { movedOutputs } from './moved-outputs.ts'
import { commandBody, renderCommand } from './pack.ts'
import { personal } from './personal.ts'
import { readTranscript, refersBack } from './read/index.ts'
import { tools } from './tools.ts'
import { turnStart } from './turn-start.ts'

export const copilot: Client = {
  id: 'copilot',
  name: 'Copilot CLI',
  tested: ['1.0.102'],
  install: 'npm install -g @github/copilot',
  // Where it is not unpacked yet, it takes seconds and 235 MB for that, even for its version (1.0.102).
  versionVariables: ({ env, home }) => ({ XDG_CACHE_HOME: env.XDG_CACHE_HOME || join(home, '.cache') }),
  sessions: {
    locate,
    givenName,
    folders,
    transcriptPath,
    hasSession,
    isNamedAfter,
    sideFiles: movedOutputs,
    currentSession: insideOf,
  },
  reading: {
    read: readTranscript,
    turnStart,
    refersBack,
    removesTakenBack: true,
    sessionId: (bytes) =>
      firstText(bytes, ({ type, data }) => type === 'session.start' && fieldsOf(data).sessionId),
  },
  tools,
  pack: { folders: ['.github/skills'], command: renderCommand, commandBody },
  hooks: copilotHooks,
  // Our hook before a tool allows them (hook-events.ts).
  unasked: AGENT_CALL,
  launch: { shellVariables: ['COPILOT_CLI', 'COPILOT_AGENT_SESSION_ID'], native, handoff, prepare },
  settings: {
    file: SETTINGS_FILE,
    trustQuestion:
      'Copilot CLI runs no hook before you have said that you trust the folder: start `copilot` here once and choose "Yes, and remember this folder"',
    blank: { version: 1 },
    add: addHooks,
    remove: removeHooks,
  },
  personal,
  mcpEntry,
  questions: { ask },
  health: { findings: health },
}
