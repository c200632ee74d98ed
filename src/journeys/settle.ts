import { statSync } from 'node:fs'
import { join } from 'node:path'
import { listLive } from '../store/bindings.ts'
import { localFiles } from '../store/layout.ts'
import { writeLog } from '../store/log.ts'
import { isOurs } from './is-ours.ts'
import type { Workspace } from './open.ts'

/**
 * Publishes, as paused, what was said in sessions that have gone quiet: there is no daemon, so every verb that
 * looks at conversations does it first (S1-005c). The binding stays: whoever goes on typing is recorded on.
 * Returns the conversations that were saved this way.
 */
export async function settleIdle(ws: Workspace): Promise<string[]> {
  const { minutes } = ws.config.autoPause
  if (minutes === 0) return []
  const settled = new Set<string>()
  for (const { binding, stretch } of listLive(ws.local)) {
    if (!isOurs(ws, binding)) continue
    const journal = join(localFiles(ws.local).journal, binding.client, stretch.journal)
    const at = modified(binding.transcript) ?? modified(journal)
    const size = statSync(binding.transcript, { throwIfNoEntry: false })?.size ?? 0
    if (size <= (stretch.published_to ?? stretch.from)) continue
    if (at === undefined || ws.place.now().getTime() - at < minutes * 60_000) continue
    try {
      // Loaded only here: most of the time nobody has gone quiet, and lists have to be quick.
      const [{ catchUp }, { pause }] = await Promise.all([import('./read-stretch.ts'), import('./stop.ts')])
      if (catchUp(ws, binding).size <= (stretch.published_to ?? stretch.from)) continue
      await pause(ws, stretch.conversation)
      settled.add(stretch.conversation)
    } catch (error) {
      // Reading goes on: what could not be published is still in the journal, and is told by the log.
      writeLog(
        ws.local,
        `auto-pause of ${stretch.conversation}: ${error instanceof Error ? error.message : error}`,
      )
    }
  }
  return [...settled]
}

function modified(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs
}
