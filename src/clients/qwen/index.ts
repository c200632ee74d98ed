import type { Client } from '../contract/client.ts'
import { firstText } from '../shared/transcript/lines.ts'
import { ask } from './ask.ts'
import { facts } from './facts.ts'
import { health } from './health.ts'
import { qwenHooks } from './hook-events.ts'
import { launch } from './launch.ts'
import { sessions, subagentOf } from './locate.ts'
import { readTranscript, refersBack, turnStart } from './read/index.ts'

export const qwen: Client = {
  ...facts,
  sessions,
  reading: {
    read: readTranscript,
    turnStart,
    refersBack,
    sessionId: (bytes) => firstText(bytes, (record) => record.sessionId),
    subagentOf,
  },
  hooks: qwenHooks,
  launch,
  questions: { ask },
  health: { findings: health },
}
