import type { Client } from '../contract/client.ts'
import { firstText } from '../shared/transcript/lines.ts'
import { ask } from './ask.ts'
import { facts } from './facts.ts'
import { health } from './health.ts'
import { claudeHooks } from './hook-events.ts'
import { launch } from './launch.ts'
import { sessions, subagentOf } from './locate.ts'
import { readTranscript, refersBack } from './read/index.ts'
import { pieceEnd } from './read/piece-end.ts'
import { turnStart } from './turn-start.ts'

export const claude: Client = {
  ...facts,
  sessions,
  reading: {
    read: readTranscript,
    turnStart,
    refersBack,
    pieceEnd,
    sessionId: (bytes) => firstText(bytes, (record) => record.sessionId),
    subagentOf,
  },
  hooks: claudeHooks,
  launch,
  questions: { ask },
  health: { findings: health },
}
