import { startAgain } from '../../io/start-again.ts'
import { readAutoSync, readPlace, writeAutoSync } from '../../store/machine/place.ts'
import { relativeTime } from '../../text/relative-time.ts'
import type { Workspace } from '../../workspace/open.ts'
import { isSetUp } from '../../workspace/pack/manifest.ts'
import { personalPlace } from '../../workspace/personal-place.ts'
import { awaitedPlace, unsentSince } from './unsent.ts'

/**
 * Whether this workspace syncs by itself. Never where the person has not set it up on this machine, by `init` or a sync:
 * a clone may bring the setting, and git would see what came from a place. Throws `unreadable`.
 */
export function syncsByItself(ws: Workspace): boolean {
  const { root, local, config, environment } = ws
  const hasPlace = readPlace(local) !== undefined || (awaitedPlace(ws) !== undefined && isSetUp(root, local))
  return hasPlace && (config.sync.auto ?? personalPlace(environment)?.auto ?? false)
}

/** Starts a sync in a process of its own if something was saved since the last one. Throws `unreadable`. */
export function syncAfterSave(ws: Workspace): void {
  if (syncsByItself(ws) && unsentSince(ws) !== undefined) begin(ws)
}

/** The same before a look at a list that may be old. */
export function syncBeforeLook(ws: Workspace): void {
  if (!syncsByItself(ws)) return
  const { at } = readAutoSync(ws.local) ?? {}
  if (at === undefined || ws.environment.now().getTime() - Date.parse(at) > OLD_MS) begin(ws)
}

const OLD_MS = 5 * 60_000

/**
 * The same before a resume, which waits for it, but not for long: what was said last may have been said on another
 * machine. Returns what the person should know if it is not certain that all of it is here.
 */
export async function syncBeforeResume(ws: Workspace): Promise<string[]> {
  if (!syncsByItself(ws)) return []
  const process = begin(ws)
  const ended = await new Promise((resolve) => {
    const late = setTimeout(resolve, PATIENCE_MS, false)
    process.ref()
    process.once('close', () => {
      clearTimeout(late)
      resolve(true)
    })
  })
  process.unref()
  if (ended && readAutoSync(ws.local)?.failed === false) return []
  const last = readPlace(ws.local)?.at
  const when = last === undefined ? 'there was none yet' : relativeTime(new Date(last), ws.environment.now())
  return [
    `The place of your conversations could not be asked now (last sync: ${when}). What is newer on your other machines is not here: cortext sync`,
  ]
}

/** A person waits for the place so long, and goes on with what is here. */
const PATIENCE_MS = 10_000

function begin(ws: Workspace): ReturnType<typeof startAgain> {
  const before = readAutoSync(ws.local)
  const note = { failed: false, tell: [], ...before, at: ws.environment.now().toISOString() }
  writeAutoSync(ws.local, note)
  return startAgain(['sync', '--background'], ws.root)
}

/** What the last automatic sync has to say to the person, once. `isBehind`: it has failed. */
export function takeAutoSync({ local }: Workspace): { lines: string[]; isBehind: boolean } {
  const note = readAutoSync(local)
  if (note === undefined) return { lines: [], isBehind: false }
  if (note.tell.length > 0) writeAutoSync(local, { ...note, tell: [] })
  return { lines: note.tell, isBehind: note.failed }
}
