import { existsSync } from 'node:fs'
import type { Client } from '../contract/client.ts'
import { ask } from './ask.ts'
import { codexHooks } from './hook-events.ts'
import { inUse } from './in-use.ts'
import { handoff, native } from './launch.ts'
import { transcriptPath } from './locate.ts'
import { commandBody, renderCommand } from './pack.ts'
import { prepare } from './prepare.ts'
import { readTranscript } from './read/index.ts'
import { newSessionId } from './seed.ts'

export const codex: Client = {
  id: 'codex',
  name: 'Codex CLI',
  tested: ['0.169.0'],
  install: 'npm install -g @openai/codex',
  sessions: {
    locate: () => [],
    transcriptPath,
    hasSession: (environment, folder, nativeId) => existsSync(transcriptPath(environment, folder, nativeId)),
    inUse,
  },
  reading: { read: readTranscript, turnStart: (bytes) => bytes.length },
  tools: { vocabulary: { exec_command: { shell: 'cmd' } }, shellOutput: { bytes: 10_000 } },
  pack: { folders: ['.agents/skills'], command: renderCommand, commandBody },
  hooks: codexHooks,
  launch: { native, handoff, newSessionId, prepare },
  questions: { ask },
}
