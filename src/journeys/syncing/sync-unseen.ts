import { CortextError } from '../../errors.ts'
import { readAutoSync, writeAutoSync } from '../../store/machine/place.ts'
import { oneLine } from '../../text/line.ts'
import type { Workspace } from '../../workspace/open.ts'
import { FAILED, untold } from './auto.ts'
import { choosePlace } from './choosing/choose-place.ts'
import { sync } from './sync.ts'
import type { Synced } from './synced.ts'
import { awaitedPlace, unsentSince } from './unsent.ts'

/**
 * Syncs in a process for which nobody waits. What it has to tell, `list` and a stop say; `remarksOn` gives the words.
 * Does nothing while another sync is at work. Throws what is a bug of ours.
 */
export async function syncUnseen(ws: Workspace, remarksOn: (done: Synced) => string[]): Promise<void> {
  try {
    const awaited = awaitedPlace(ws)
    if (awaited !== undefined) await choosePlace(ws, awaited, { makes: false })
    for (let rounds = MOST_ROUNDS; rounds > 0; rounds -= 1) {
      const remarks = remarksOn(await sync(ws, { patienceMs: 0 }))
      // What an earlier one has to tell may have been read by nobody yet.
      writeAutoSync(ws.local, { at: timeOf(ws), failed: false, tell: merged(untold(ws), remarks) })
      // What was saved meanwhile: the sync that began for it has found this one at work.
      if (unsentSince(ws) === undefined) break
    }
  } catch (error) {
    if (!(error instanceof CortextError)) throw error
    if (error.code === 'locked') return
    const before = readAutoSync(ws.local)
    // Without a network, each of them fails. The person knows it by then.
    const why = `${FAILED}${oneLine(error.message)}${error.code === 'ambiguous' ? `: ${oneLine(error.fix ?? '')}` : ''}`
    const tell = before?.failed ? before.tell : merged(untold(ws), [why])
    writeAutoSync(ws.local, { at: timeOf(ws), failed: true, tell })
  }
}

function merged(earlier: readonly string[], later: readonly string[]): string[] {
  return [...new Set([...earlier, ...later])].slice(-MOST_TOLD)
}

/** The person may not look for weeks. */
const MOST_TOLD = 40

/** An agent loop may save again and again. */
const MOST_ROUNDS = 5

function timeOf({ environment }: Workspace): string {
  return environment.now().toISOString()
}
