import type { Client } from '../contract/client.ts'
import { firstText } from '../shared/transcript/lines.ts'
import { ask } from './ask.ts'
import { fromExport } from './export.ts'
import { facts } from './facts.ts'
import { opencodeHooks } from './hook-events.ts'
import { launch } from './launch.ts'
import { sessions } from './locate.ts'
import { readTranscript, turnStart } from './read/index.ts'

export const opencode: Client = {
  ...facts,
  sessions,
  reading: {
    read: readTranscript,
    turnStart,
    sessionId: (bytes) => firstText(bytes, (record) => record.type === 'session' && record.id),
    fromExport,
  },
  hooks: opencodeHooks,
  launch,
  questions: { ask },
}
