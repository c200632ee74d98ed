import { join } from 'node:path'
import { CortextError } from '../../errors.ts'
import { sha256 } from '../../hash.ts'
import type { Environment } from '../../io/environment.ts'
import { paste } from '../../text/paste.ts'
import type { Handoff, LaunchSpec } from '../contract/launch.ts'
import { putSeed } from '../shared/setup/put-seed.ts'
import { isTrusted } from './health.ts'
import { sessionDirOfProject, transcriptPath } from './locate.ts'

/**
 * Starts Pi's own resume. `--session` would also take the beginning of an id, and ask whether to fork a session of
 * another folder. Pure.
 */
export function native({ nativeId, cwd }: { nativeId: string; cwd: string }): LaunchSpec {
  return { command: 'pi', args: ['--session-id', nativeId], env: {}, cwd, files: [] }
}

/**
 * Starts Pi's own resume of a seed, which `prepare` puts among Pi's sessions. Pi showed the seed, expanded nothing in
 * it, and called no model before the person typed (1.5.2). Pure.
 */
export function handoff(intent: Handoff): LaunchSpec {
  const path = join(intent.folder, `pi-${intent.nativeId}.jsonl`)
  return { ...native(intent), files: [{ path, content: seed(intent) }] }
}

/**
 * Puts the seed of a handoff among Pi's sessions. Throws `refused` where a project that the person does not trust has
 * chosen the folder of the sessions: a stranger's clone could name any folder.
 */
export function prepare(environment: Environment, { files, cwd, args }: LaunchSpec): void {
  const chosen = sessionDirOfProject(cwd)
  if (files.length > 0 && chosen !== undefined && isTrusted(environment, cwd) !== true)
    throw new CortextError(
      'refused',
      `${chosen} chooses where Pi keeps sessions, and you have not trusted this project`,
      {
        fix: `${paste`cd ${cwd} && pi`}, and there answer that you trust it`,
      },
    )
  for (const { content } of files) putSeed(transcriptPath(environment, cwd, args.at(-1) ?? ''), content)
}

/**
 * The seed contains the typed command, the command's body with the context, which only the model reads, and the recap
 * as the model's answer. Every line has the key `cortext`: Pi keeps it, and the reader leaves the line out.
 */
function seed({ nativeId, cwd, command, body, args, context, recap }: Handoff): string {
  // Any time works.
  const timestamp = '2000-01-01T00:00:00.000Z'
  const time = Date.parse(timestamp)
  const typed = `/${command}${args === '' ? '' : ` ${args}`}`
  const entries = [
    { type: 'message', message: { role: 'user', content: [{ type: 'text', text: typed }], timestamp: time } },
    {
      type: 'custom_message',
      customType: 'cortext',
      content: [body, context].filter(Boolean).join('\n\n'),
      display: false,
    },
    { type: 'message', message: { ...ANSWER, content: [{ type: 'text', text: recap }], timestamp: time } },
  ]
  const ids = entries.map((_, index) => sha256(`cortext-seed\0${nativeId}\0${index}`).slice(0, 8))
  const lines = entries.map((entry, index) => ({
    ...entry,
    id: ids[index],
    parentId: ids[index - 1] ?? null,
    timestamp,
    cortext: { seed: true },
  }))
  const header = { type: 'session', version: 3, id: nativeId, timestamp, cwd }
  return [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('')
}

/** Pi has no model of this name, so it begins with its default model. Without `usage` every turn would fail (1.5.2). */
const ANSWER = {
  role: 'assistant',
  api: 'cortext',
  provider: 'cortext',
  model: 'handoff',
  stopReason: 'stop',
  usage: {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 0,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
}
