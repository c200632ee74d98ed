import type { Client } from '../contract/client.ts'
import { AGENT_CALL } from '../shared/setup/allowed-calls.ts'
import { ask } from './ask.ts'
import { sessionId, subagentOf } from './heading.ts'
import { health } from './health.ts'
import { givenName } from './home.ts'
import { codexHooks } from './hook-events.ts'
import { addHooks, removeHooks, SETTINGS_FILE } from './hook-settings.ts'
import { inUse } from './in-use.ts'
import { handoff, native } from './launch.ts'
import { folderOf, folders, hasSession, isNamedAfter, locate, sideFiles, transcriptPath } from './locate.ts'
import { commandBody, renderCommand, SKILLS, skillPolicy, typed } from './pack.ts'
import { personal } from './personal.ts'
import { prepare } from './prepare.ts'
import { readTranscript, refersBack } from './read/index.ts'
import { fromOlderFile } from './read/older-file.ts'
import { newestOf } from './rollouts.ts'
import { rulesFile } from './rules.ts'
import { newSessionId } from './seed.ts'
import { tools } from './tools.ts'
import { turnStart } from './turn-start.ts'

export const codex: Client = {
  id: 'codex',
  name: 'Codex CLI',
  tested: ['0.169.0'],
  install: 'npm install -g @openai/codex',
  sessions: {
    locate,
    folders,
    transcriptPath,
    hasSession,
    isNamedAfter,
    folderOf,
    inUse,
    sideFiles,
    newest: newestOf,
    givenName,
    // In a subagent's shell, CODEX_SESSION_ID should name the person's thread (not tried).
    currentSession: (env) => env.CODEX_SESSION_ID || env.CODEX_THREAD_ID || undefined,
  },
  reading: { read: readTranscript, turnStart, refersBack, sessionId, subagentOf, fromExport: fromOlderFile },
  tools,
  pack: {
    folders: [SKILLS, '.codex/rules'],
    command: renderCommand,
    extraFiles: skillPolicy,
    files: () => [rulesFile()],
    commandBody,
    typed,
  },
  hooks: codexHooks,
  unasked: AGENT_CALL,
  launch: {
    shellVariables: ['CODEX_THREAD_ID', 'CODEX_SESSION_ID'],
    native,
    handoff,
    newSessionId,
    prepare,
  },
  settings: {
    file: SETTINGS_FILE,
    trustQuestion:
      'Codex CLI runs no hook before you have said that you trust it: start `codex` here once and choose "Trust all and continue"',
    add: addHooks,
    remove: removeHooks,
  },
  personal,
  questions: { ask },
  health: { findings: health },
}
