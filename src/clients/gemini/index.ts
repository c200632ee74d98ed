import type { Client } from '../contract/client.ts'
import { ask } from './ask.ts'
import { facts } from './facts.ts'
import { health } from './health.ts'
import { geminiHooks } from './hook-events.ts'
import { launch } from './launch.ts'
import { readHeading, sessions, subagentOf } from './locate.ts'
import { readTranscript, refersBack, turnStart } from './read/index.ts'

export const gemini: Client = {
  ...facts,
  sessions,
  reading: {
    read: readTranscript,
    turnStart,
    refersBack,
    sessionId: (bytes) => readHeading(bytes, new Uint8Array()).nativeId || undefined,
    subagentOf,
  },
  hooks: geminiHooks,
  launch,
  questions: { ask },
  health: { findings: health },
}
