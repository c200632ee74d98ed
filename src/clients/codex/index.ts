import type { Client } from '../contract/client.ts'
import { codexHooks } from './hook-events.ts'
import { folders, hasSession, locate, transcriptPath } from './locate.ts'
import { readTranscript, refersBack } from './read/index.ts'
import { tools } from './tools.ts'
import { turnStart } from './turn-start.ts'

export const codex: Client = {
  id: 'codex',
  name: 'Codex CLI',
  tested: ['0.169.0'],
  install: 'npm install -g @openai/codex',
  sessions: { locate, folders, transcriptPath, hasSession },
  reading: { read: readTranscript, turnStart, refersBack },
  tools,
  pack: {
    folders: ['.agents/skills'],
    command: ({ name, body }) => ({
      path: `.agents/skills/${name.replaceAll('.', '-')}/SKILL.md`,
      content: body,
    }),
    commandBody: ({ body }, args) => body.replaceAll('$ARGUMENTS', () => args),
  },
  hooks: codexHooks,
  launch: {
    native: ({ nativeId, cwd }) => ({
      command: 'codex',
      args: ['resume', nativeId],
      env: {},
      cwd,
      files: [],
    }),
    handoff: ({ nativeId, cwd }) => ({
      command: 'codex',
      args: ['resume', nativeId],
      env: {},
      cwd,
      files: [],
    }),
  },
}
