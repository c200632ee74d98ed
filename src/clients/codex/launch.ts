import { join } from 'node:path'
import { ensureFolder } from '../../io/ensure-folder.ts'
import type { Environment } from '../../io/environment.ts'
import { writePrivateFiles } from '../../io/private-files.ts'
import type { Launching, Seed } from '../contract/launch.ts'
import { fieldsOf, textOf } from '../shared/transcript/fields.ts'
import { askAppServer } from './app-server.ts'
import { ownFolder } from './facts.ts'
import { newSessionId, seed, timeOf } from './seed.ts'

/**
 * Codex CLI resumes the seed as one of its threads. In a test with 200 KB of history, it expanded nothing and called no
 * model before the person typed (0.169.0). It is started in the folder of the thread: from another folder, it would ask
 * which folder to use.
 */
export const launch: Launching = {
  shellVariables: ['CODEX_THREAD_ID', 'CODEX_SESSION_ID'],
  newSessionId,
  seed,
  place,
  native: (nativeId) => ({ args: ['resume', nativeId] }),
}

/**
 * Puts the seed of a handoff among Codex's own threads. The thread stays there and belongs to Codex. Codex opens only a
 * thread that names the provider of its model (0.169.0). So we ask Codex for the provider in its settings for the
 * working folder, and write it into the seed. Throws `client-failed` when Codex does not answer, and the errors of
 * `ensureFolder` and `writePrivateFiles`.
 */
async function place(environment: Environment, { nativeId, cwd, content }: Seed): Promise<void> {
  const [head = '', ...lines] = content.split('\n')
  const meta = JSON.parse(head)
  meta.payload.model_provider = await providerIn(environment, cwd)
  const { folder, name } = pathOf(nativeId)
  const threads = join(ownFolder(environment), 'sessions')
  // The folder of all threads may be a symlink, because it is the person's own.
  ensureFolder(threads, join(threads, folder))
  writePrivateFiles([
    { path: join(threads, folder, name), content: [JSON.stringify(meta), ...lines].join('\n') },
  ])
}

async function providerIn(environment: Environment, cwd: string): Promise<string> {
  const { config } = await askAppServer(environment, cwd, 'config/read', { cwd, includeLayers: false })
  const provider = textOf(fieldsOf(config).model_provider)
  return provider || DEFAULT_PROVIDER
}

/** The provider that Codex uses if the settings name none. */
const DEFAULT_PROVIDER = 'openai'

/**
 * The path that Codex would give to the thread with this id. The id contains a time. The folder is the local date of
 * that time; the name has its local date and time.
 */
function pathOf(nativeId: string): { folder: string; name: string } {
  const time = new Date(timeOf(nativeId))
  const twoDigits = (number: number) => String(number).padStart(2, '0')
  const date = [String(time.getFullYear()), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())]
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(twoDigits)
  return {
    folder: join(...date),
    name: `rollout-${date.join('-')}T${clock.join('-')}-${nativeId}.jsonl`,
  }
}
