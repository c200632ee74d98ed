import type { Client } from '../contract/client.ts'
import { ask } from './ask.ts'
import { facts } from './facts.ts'
import { sessionId, subagentOf } from './heading.ts'
import { health } from './health.ts'

import { codexHooks } from './hook-events.ts'
import { handoff, native } from './launch.ts'
import { sessions } from './locate.ts'
import { prepare } from './prepare.ts'
import { readTranscript, refersBack, turnStart } from './read/index.ts'
import { fromOlderFile } from './read/older-forms.ts'
import { newSessionId } from './seed.ts'

export const codex: Client = {
  ...facts,
  sessions,
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
