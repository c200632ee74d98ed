import type { Client } from '../contract/client.ts'
import { ask } from './ask.ts'
import { facts } from './facts.ts'
import { sessionId, subagentOf } from './heading.ts'
import { health } from './health.ts'
import { codexHooks } from './hook-events.ts'
import { launch } from './launch.ts'
import { sessions } from './locate.ts'
import { readTranscript, refersBack, turnStart } from './read/index.ts'
import { fromOlderFile } from './read/older-forms.ts'

export const codex: Client = {
  ...facts,
  sessions,
  reading: { read: readTranscript, turnStart, refersBack, sessionId, subagentOf, fromExport: fromOlderFile },
  hooks: codexHooks,
  launch,
  questions: { ask },
  health: { findings: health },
}
