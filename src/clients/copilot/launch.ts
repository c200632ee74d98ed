import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import type { Handoff, LaunchSpec } from '../contract/launch.ts'
import { putSeed } from '../shared/setup/put-seed.ts'
import { transcriptPath } from './locate.ts'
import { seedId } from './read/rules.ts'

/** Starts Copilot CLI's own resume. `--resume` would also take a name or the beginning of an id. Pure. */
export function native({ nativeId, cwd }: { nativeId: string; cwd: string }): LaunchSpec {
  return { command: 'copilot', args: ['--session-id', nativeId], env: {}, cwd, files: [] }
}

/**
 * Starts Copilot CLI's own resume of a seed, which `prepare` puts among its sessions. It showed the command and the
 * recap, expanded nothing in 200 KB of history, and called no model before the person typed (1.0.102). Pure.
 */
export function handoff(intent: Handoff): LaunchSpec {
  const path = join(intent.folder, `copilot-${intent.nativeId}.jsonl`)
  return { ...native(intent), files: [{ path, content: seed(intent) }] }
}

/** Puts the seed of a handoff among Copilot CLI's sessions. */
export function prepare(environment: Environment, { files, cwd, args }: LaunchSpec): void {
  for (const { content } of files) putSeed(transcriptPath(environment, cwd, args.at(-1) ?? ''), content)
}

/**
 * The seed contains the typed command, with the command's body and the context as the text that the model gets for it,
 * and the recap as the model's answer. The reader knows its lines by their ids.
 */
function seed({ nativeId, cwd, command, body, args, context, recap }: Handoff): string {
  // Any time works.
  const timestamp = '2000-01-01T00:00:00.000Z'
  const typed = `/${command}${args === '' ? '' : ` ${args}`}`
  const events = [
    {
      type: 'session.start',
      data: {
        sessionId: nativeId,
        version: 1,
        producer: 'cortext',
        copilotVersion: '1.0.102',
        startTime: timestamp,
        context: { cwd },
      },
    },
    {
      type: 'user.message',
      data: { content: typed, transformedContent: [body, context].filter(Boolean).join('\n\n') },
    },
    {
      type: 'assistant.message',
      data: { messageId: seedId(nativeId, 'answer'), content: recap, toolRequests: [] },
    },
  ]
  return events
    .map(({ type, data }, index) => ({
      type,
      data,
      id: seedId(nativeId, index),
      timestamp,
      parentId: index === 0 ? null : seedId(nativeId, index - 1),
    }))
    .map((event) => `${JSON.stringify(event)}\n`)
    .join('')
}
