import type { Client } from '../contract/client.ts'
import { AGENT_CALL } from '../shared/setup/allowed-calls.ts'
import { firstText } from '../shared/transcript/first-text.ts'
import { ask } from './ask.ts'
import { fromExport } from './export.ts'
import { hasSession } from './has-session.ts'
import { opencodeHooks } from './hook-events.ts'
import { handoff, native } from './launch.ts'
import { folders, insideOf, locate, transcriptPath } from './locate.ts'
import { mcpEntry } from './mcp-entry.ts'
import { commandBody, pluginFile, renderCommand } from './pack.ts'
import { personal } from './personal.ts'
import { prepare } from './prepare.ts'
import { readTranscript } from './read/index.ts'
import { refresh } from './refresh.ts'
import { newSessionId } from './seed.ts'
import { tools } from './tools.ts'
import { turnStart } from './turn-start.ts'

/** The plugin adds our permissions to the person's own when OpenCode starts, so there is no `settings`. */
export const opencode: Client = {
  id: 'opencode',
  name: 'OpenCode',
  tested: ['1.18.33'],
  install: 'npm install -g opencode-ai',
  sessions: { locate, folders, transcriptPath, hasSession, currentSession: insideOf, refresh },
  reading: {
    read: readTranscript,
    turnStart,
    sessionId: (bytes) => firstText(bytes, (record) => record.type === 'session' && record.id),
    fromExport,
  },
  tools,
  pack: {
    folders: ['.opencode/commands', '.opencode/plugins'],
    command: renderCommand,
    files: (shipped) => [pluginFile(shipped)],
    commandBody,
  },
  hooks: opencodeHooks,
  unasked: AGENT_CALL,
  launch: {
    shellVariables: ['OPENCODE', 'CORTEXT_OPENCODE_SESSION'],
    native,
    handoff,
    newSessionId,
    prepare,
    showsAtResume: true,
  },
  personal,
  mcpEntry,
  questions: { ask },
}
