import { setTimeout as sleep } from 'node:timers/promises'
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
  // One that is ahead is of a clock that was wrong.
  if (at === undefined || Math.abs(ws.environment.now().getTime() - Date.parse(at)) > OLD_MS) begin(ws)
}

const OLD_MS = 5 * 60_000

/**
 * The same before a resume, which waits for it, but not for long: what was said last may have been said on another
 * machine. `onWait` is called if it is not done at once. Returns what the person should know if it is not certain that
 * all of it is here.
 */
export async function syncBeforeResume(ws: Workspace, onWait?: () => void): Promise<string[]> {
  if (!syncsByItself(ws)) return []
  const began = ws.environment.now().toISOString()
  const waiting = setTimeout(() => onWait?.(), AT_ONCE_MS)
  const until = Date.now() + PATIENCE_MS
  do {
    await ended(begin(ws), until - Date.now())
    if (hasSyncedSince(ws, began) || readAutoSync(ws.local)?.failed) break
    // Another process syncs, which may have looked before the last words were sent.
    await sleep(PAUSE_MS)
  } while (Date.now() < until)
  clearTimeout(waiting)
  if (hasSyncedSince(ws, began)) return []
  const last = readPlace(ws.local)?.at
  const when = last === undefined ? 'there was none yet' : relativeTime(new Date(last), ws.environment.now())
  return [
    `The place of your conversations could not be asked now (last sync: ${when}). What your other machines have sent since is not here: cortext sync`,
  ]
}

/** A person waits for the place so long, and goes on with what is here. */
const PATIENCE_MS = 10_000
const AT_ONCE_MS = 2000
const PAUSE_MS = 300

function hasSyncedSince({ local, environment }: Workspace, time: string): boolean {
  const { at = '' } = readPlace(local) ?? {}
  return at >= time && at <= environment.now().toISOString()
}

/** Waits for the end of a process, but not longer than `ms`. */
function ended(process: ReturnType<typeof begin>, ms: number): Promise<void> {
  return new Promise<void>((resolve) => {
    const late = setTimeout(resolve, Math.max(ms, 0))
    const end = () => {
      clearTimeout(late)
      resolve()
    }
    process.once('close', end).once('error', end)
    process.ref()
  }).then(() => process.unref())
}

function begin(ws: Workspace): ReturnType<typeof startAgain> {
  const before = readAutoSync(ws.local)
  const note = { failed: false, tell: [], ...before, at: ws.environment.now().toISOString() }
  writeAutoSync(ws.local, note)
  return startAgain(['sync', '--background'], ws.root)
}

/** After a sync that ended well, nothing is told of an earlier one that failed. */
export function forgetFailure({ local }: Workspace): void {
  const note = readAutoSync(local)
  if (note?.failed) writeAutoSync(local, { ...note, failed: false, tell: untold({ local }) })
}

/** What syncs that nobody saw have to tell, but that one has failed. */
export function untold({ local }: Pick<Workspace, 'local'>): string[] {
  return readAutoSync(local)?.tell.filter((line) => !line.startsWith(FAILED)) ?? []
}

export const FAILED = 'The automatic sync failed: '

/** Drops the news of a deleted conversation that automatic syncs have left to be told. */
export function dropNewsOf({ local }: Workspace, path: string): void {
  const note = readAutoSync(local)
  // Not that of another one whose path is longer.
  const isAbout = (line: string) =>
    line.split(/[\s,;:]+/).some((word) => word === path || word.startsWith(`${path}/`))
  const tell = note?.tell.filter((line) => !isAbout(line)) ?? []
  if (note !== undefined && tell.length < note.tell.length) writeAutoSync(local, { ...note, tell })
}

/** What the last automatic sync has to say to the person, once. `isBehind`: it has failed. */
export function takeAutoSync({ local }: Workspace): { lines: string[]; isBehind: boolean } {
  const note = readAutoSync(local)
  if (note === undefined) return { lines: [], isBehind: false }
  if (note.tell.length > 0) writeAutoSync(local, { ...note, tell: [] })
  return { lines: note.tell, isBehind: note.failed }
}
