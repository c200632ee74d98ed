import type { Client } from '../contract/client.ts'
import { ask } from './ask.ts'
import { facts } from './facts.ts'
import { sessionId, subagentOf } from './heading.ts'
import { health } from './health.ts'

import { codexHooks } from './hook-events.ts'
import { inUse } from './in-use.ts'
import { handoff, native } from './launch.ts'
import {
  folderOf,
  folders,
  givenName,
  hasSession,
  isNamedAfter,
  locate,
  sideFiles,
  transcriptPath,
} from './locate.ts'
import { prepare } from './prepare.ts'
import { readTranscript, refersBack, turnStart } from './read/index.ts'
import { fromOlderFile } from './read/older-forms.ts'
import { newestOf } from './rollouts.ts'
import { newSessionId } from './seed.ts'

export const codex: Client = {
  ...facts,
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
  hooks: codexHooks,
  launch: {
    shellVariables: ['CODEX_THREAD_ID', 'CODEX_SESSION_ID'],
    native,
    handoff,
    newSessionId,
    prepare,
  },
  questions: { ask },
  health: { findings: health },
}
