import type { Client } from '../contract/client.ts'
import { ask } from './ask.ts'
import { facts } from './facts.ts'
import { readHeading, subagentOf } from './heading.ts'
import { health, retention } from './health.ts'
import { geminiHooks } from './hook-events.ts'
import { handoff, native } from './launch.ts'
import {
  folders,
  hasSession,
  isNamedAfter,
  launchedAs,
  locate,
  outputsFolder,
  sideFiles,
  sideFolder,
  transcriptPath,
} from './locate.ts'
import { readTranscript, refersBack } from './read/index.ts'
import { turnStart } from './turn-start.ts'

export const gemini: Client = {
  ...facts,
  sessions: {
    locate,
    folders,
    transcriptPath,
    hasSession,
    isNamedAfter,
    sideFolder,
    sideFiles,
    outputsFolder,
    retention,
  },
  reading: {
    read: readTranscript,
    turnStart,
    refersBack,
    sessionId: (bytes) => readHeading(bytes, new Uint8Array()).nativeId || undefined,
    subagentOf,
  },
  hooks: geminiHooks,
  launch: { shellVariables: ['GEMINI_CLI'], native, handoff, findLaunched: launchedAs, showsAtResume: true },
  questions: { ask },
  health: { findings: health },
}
