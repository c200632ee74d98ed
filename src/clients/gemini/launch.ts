import { join } from 'node:path'
import type { Handoff, LaunchSpec } from '../contract/launch.ts'
import { SEED } from './read/rules.ts'

/**
 * Starts Gemini CLI's own resume. The client deletes old sessions. Our settings in the project prevent this, except
 * where they are shared or the person has a setting for it. Pure.
 */
export function native({ nativeId, cwd }: { nativeId: string; cwd: string }): LaunchSpec {
  return { command: 'gemini', args: ['--resume', nativeId], env: {}, cwd, files: [] }
}

/**
 * Lets the client copy a seed session into a new one. Gemini CLI 0.61.0 kept the seed's text as it was. It called no
 * model before the person typed. The client chooses the id of the copy. Our hooks get that id, and `CORTEXT_LAUNCH`
 * tells them which launch it belongs to. We never use `-i`: it loses the history. Pure.
 */
export function handoff(intent: Handoff): LaunchSpec {
  const path = join(intent.folder, `gemini-${intent.nativeId}.jsonl`)
  return {
    command: 'gemini',
    args: ['--session-file', path],
    env: { CORTEXT_LAUNCH: intent.nativeId },
    cwd: intent.cwd,
    files: [{ path, content: seed(intent) }],
  }
}

/**
 * The seed: a message of the person and the recap as the model's answer. The client shows the command as typed; the
 * model reads the command's body, the resume block and the history.
 */
function seed(intent: Handoff): string {
  const { command, body, args, nativeId } = intent
  // Any time works. The client deletes old sessions, but its copy of the seed begins at the time of copying (0.61.0).
  const time = '2000-01-01T00:00:00.000Z'
  const typed = `/${command}${args === '' ? '' : ` ${args}`}`
  const records = [
    { sessionId: nativeId, projectHash: 'cortext', startTime: time, lastUpdated: time, kind: 'main' },
    {
      id: `${SEED}${nativeId}-0`,
      timestamp: time,
      type: 'user',
      content: [...(body === '' ? [] : [`[/${command}]\n\n${body}`]), intent.context].map((text) => ({
        text,
      })),
      displayContent: [{ text: typed }],
    },
    { id: `${SEED}${nativeId}-1`, timestamp: time, type: 'gemini', content: intent.recap },
  ]
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}
