import { CortextError } from '../../errors.ts'
import { sha256 } from '../../hash.ts'
import type { Environment } from '../../io/environment.ts'
import { paste } from '../../text/paste.ts'
import type { Handoff, Launching, Seed } from '../contract/launch.ts'
import { givenIn, jsonLines, putSeed, SEED_TIME, typedIn } from '../shared/setup/seed.ts'
import { isTrusted } from './health.ts'
import { sessionDirOfProject, transcriptPath } from './locate.ts'

/**
 * Pi resumes the seed. It showed the seed, expanded nothing in it, and called no model before the person typed (1.5.2).
 * `--session` would also take the beginning of an id, and ask whether to fork a session of another folder.
 */
export const launch: Launching = {
  shellVariables: ['PI_CODING_AGENT', 'PI_SESSION_ID', 'PI_SESSION_FILE'],
  showsAtResume: true,
  seed,
  place,
  native: (nativeId) => ({ args: ['--session-id', nativeId] }),
}

/**
 * Puts the seed of a handoff among Pi's sessions. Throws `refused` where a project that the person does not trust has
 * chosen the folder of the sessions: a stranger's clone could name any folder.
 */
function place(environment: Environment, { nativeId, cwd, content }: Seed): void {
  const chosen = sessionDirOfProject(cwd)
  if (chosen !== undefined && isTrusted(environment, cwd) !== true)
    throw new CortextError(
      'refused',
      `${chosen} chooses where Pi keeps sessions, and you have not trusted this project`,
      {
        fix: `${paste`cd ${cwd} && pi`}, and there answer that you trust it`,
      },
    )
  putSeed(transcriptPath(environment, cwd, nativeId), content)
}

/**
 * The seed contains the typed command, the command's body with the context, which only the model reads, and the recap
 * as the model's answer. Every line has the key `cortext`: Pi keeps it, and the reader leaves the line out.
 */
function seed(handoff: Handoff): string {
  const { nativeId, cwd, recap } = handoff
  const timestamp = SEED_TIME
  const time = Date.parse(timestamp)
  const entries = [
    {
      type: 'message',
      message: { role: 'user', content: [{ type: 'text', text: typedIn(handoff) }], timestamp: time },
    },
    {
      type: 'custom_message',
      customType: 'cortext',
      content: givenIn(handoff).join('\n\n'),
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
  return jsonLines([header, ...lines])
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
