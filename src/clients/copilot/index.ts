import type { Client } from '../contract/client.ts'
import { fieldsOf } from '../shared/transcript/fields.ts'
import { firstText } from '../shared/transcript/lines.ts'
import { ask } from './ask.ts'
import { facts } from './facts.ts'
import { health } from './health.ts'
import { copilotHooks } from './hook-events.ts'
import { launch } from './launch.ts'
import { sessions } from './locate.ts'
import { readTranscript, refersBack, turnStart } from './read/index.ts'

export const copilot: Client = {
  ...facts,
  sessions,
  reading: {
    read: readTranscript,
    turnStart,
    refersBack,
    removesTakenBack: true,
    sessionId: (bytes) =>
      firstText(bytes, ({ type, data }) => type === 'session.start' && fieldsOf(data).sessionId),
  },
  hooks: copilotHooks,
  launch,
  questions: { ask },
  health: { findings: health },
}
