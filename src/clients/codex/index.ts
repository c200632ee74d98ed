import type { Client } from '../contract/client.ts'
import { ask } from './ask.ts'
import { sessionId } from './heading.ts'
import { codexHooks } from './hook-events.ts'
import { inUse } from './in-use.ts'
import { handoff, native } from './launch.ts'
import { folders, hasSession, locate, sideFiles, transcriptPath } from './locate.ts'
import { commandBody, renderCommand } from './pack.ts'
import { prepare } from './prepare.ts'
import { readTranscript, refersBack } from './read/index.ts'
import { newestOf } from './rollouts.ts'
import { newSessionId } from './seed.ts'
import { tools } from './tools.ts'
import { turnStart } from './turn-start.ts'

export const codex: Client = {
  id: 'codex',
  name: 'Codex CLI',
  tested: ['0.169.0'],
  install: 'npm install -g @openai/codex',
  sessions: { locate, folders, transcriptPath, hasSession, inUse, sideFiles, newest: newestOf },
  reading: { read: readTranscript, turnStart, refersBack, sessionId },
  tools,
  pack: { folders: ['.agents/skills'], command: renderCommand, commandBody },
  hooks: codexHooks,
  launch: { native, handoff, newSessionId, prepare },
  questions: { ask },
}
