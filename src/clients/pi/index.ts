import type { Client } from '../contract/client.ts'
import { firstText } from '../shared/transcript/lines.ts'
import { ask } from './ask.ts'
import { facts } from './facts.ts'
import { health } from './health.ts'
import { piHooks } from './hook-events.ts'
import { launch } from './launch.ts'
import { sessions } from './locate.ts'
import { readTranscript, refersBack, turnStart } from './read.ts'

export const pi: Client = {
  ...facts,
  sessions,
  reading: {
    read: readTranscript,
    turnStart,
    refersBack,
    sessionId: (bytes) => firstText(bytes, (record) => record.type === 'session' && record.id),
  },
  hooks: piHooks,
  launch,
  questions: { ask },
  health: { findings: health },
}
