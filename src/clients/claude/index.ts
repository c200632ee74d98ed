import type { Client } from '../contract/client.ts'
import { firstText } from '../shared/transcript/lines.ts'
import { ask } from './ask.ts'
import { facts } from './facts.ts'
import { health, retention } from './health.ts'
import { claudeHooks } from './hook-events.ts'
import { handoff, native } from './launch.ts'
import {
  folders,
  hasSession,
  heldElsewhere,
  insideOf,
  locate,
  sideFiles,
  sideFolder,
  subagentOf,
  transcriptPath,
} from './locate.ts'
import { readTranscript, refersBack } from './read/index.ts'
import { pieceEnd } from './read/piece-end.ts'
import { turnStart } from './turn-start.ts'

export const claude: Client = {
  ...facts,
  sessions: {
    locate,
    folders,
    transcriptPath,
    hasSession,
    heldElsewhere,
    sideFolder,
    sideFiles,
    currentSession: insideOf,
    retention,
  },
  reading: {
    read: readTranscript,
    turnStart,
    refersBack,
    pieceEnd,
    sessionId: (bytes) => firstText(bytes, (record) => record.sessionId),
    subagentOf,
  },
  hooks: claudeHooks,
  launch: { shellVariables: ['CLAUDECODE', 'CLAUDE_CODE_SESSION_ID'], native, handoff, showsAtResume: true },
  questions: { ask },
  health: { findings: health },
}
