import { clientsWithHooks } from '../clients/own-hooks.ts'
import type { Kept } from '../journeys/merging/keep-in-git.ts'
import { leftInWords, lookAtMerges, settleMerges } from '../journeys/merging/look-at-merges.ts'
import { autoPause } from '../journeys/recording/auto-pause.ts'
import { takeLeftNotes } from '../journeys/recording/left-without-stop.ts'
import { bringBackGone } from '../journeys/recording/lost-folders.ts'
import { isSetUpOrBegun } from '../journeys/setup/is-set-up.ts'
import { syncAfterSave, syncsByItself, takeAutoSync } from '../journeys/syncing/auto.ts'
import { placeToMention, suggestionInWords } from '../journeys/syncing/choosing/suggested.ts'
import { isSyncing, sentTo, unsentSince } from '../journeys/syncing/unsent.ts'
import { countOf } from '../text/count-of.ts'
import { oneLine } from '../text/line.ts'
import { paste } from '../text/paste.ts'
import { relativeTime } from '../text/relative-time.ts'
import type { Workspace } from '../workspace/open.ts'
import { findRefused } from '../workspace/repository.ts'
import { isSparse } from '../workspace/sparse.ts'
import { refreshDriver } from '../workspace/visibility.ts'
import { note, noteAutoPaused } from './print.ts'

/** The first step of a verb that only reads. Brings back what is gone, then looks after git and at quiet conversations. */
export async function look(ws: Workspace): Promise<void> {
  noteBack(await bringBackGone(ws))
  await lookAfterGit(ws)
  await saveQuietAndReport(ws)
}

function noteBack({ length }: readonly string[]): void {
  if (length > 0)
    note(`The folder of the conversations was gone. Brought back: ${countOf(length, 'conversation')}.`)
}

/**
 * Saves and pauses conversations that have gone quiet or whose client has ended, and reports them. Also reports wrong
 * entries of types, and conversations that the person left without a stop.
 */
async function saveQuietAndReport(ws: Workspace): Promise<void> {
  note(ws.wrongTypes)
  const paused = await autoPause(ws)
  noteAutoPaused(paused)
  // noteAutoPaused has just reported the conversations whose client has ended.
  const left = takeLeftNotes(ws).filter(({ path }) => !paused.ended.includes(path))
  const [first] = left
  if (first === undefined) return
  note(
    left.length === 1
      ? `${first.called} was left without a stop, so it is not committed: ${paste`cortext stop ${first.name}`}`
      : `${left.length} conversations were left without a stop, so they are not committed: cortext list`,
  )
}

/**
 * Says that git refuses this folder. Otherwise, says how to set up the clients of this machine, for example in a new
 * clone: git does not bring their files.
 */
export function noteNotSetUp(ws: Workspace): void {
  const found = findRefused(ws.root)
  if (found !== undefined) note(`Nothing is committed here: ${found.refused}. To change that: ${found.fix}`)
  else if (!isSetUpOrBegun(ws)) note(notSetUp(ws.root))
}

function notSetUp(root: string): string {
  const names = clientsWithHooks(root)
  return names.length > 0
    ? `The hooks of ${names.join(', ')} are in force here, and this machine's notes on the set-up are gone. To write them anew: cortext init`
    : 'No client is set up here, on this machine: they have no /workspace commands, and nothing is recorded. To set them up: cortext init'
}

/**
 * Says what the last automatic sync has to say, and that something was saved which the place of `cortext sync` does not
 * have. Starts no git.
 */
export function noteUnsent(ws: Workspace): void {
  const { lines, isBehind } = takeAutoSync(ws)
  note(lines)
  const since = unsentSince(ws)
  if (since === undefined || (syncsByItself(ws) && !isBehind)) return
  const last =
    since === 'never' ? 'there was no sync yet' : `last sync ${relativeTime(since, ws.environment.now())}`
  note(`Not yet sent to your other machines (${last}): cortext sync`)
}

/** Says that the conversations go to one place, and the settings of the project name another one. */
export function noteOtherPlace(ws: Workspace): void {
  const found = placeToMention(ws)
  if (found?.now !== undefined) note(suggestionInWords(found))
}

/** Says, if a sync is at work here, that what follows waits for its end. */
export function noteIfSyncing(ws: Workspace): void {
  if (isSyncing(ws)) note('Another cortext is at work here. Waiting for it to end.')
}

/**
 * To be called after something was deleted or redacted here. In a workspace that syncs by itself, starts a sync, which
 * does the same at the place. Returns the address of the place; undefined if nothing was ever sent to one.
 */
export function syncRemoval(ws: Workspace): string | undefined {
  const address = sentTo(ws)
  if (address !== undefined) syncAfterSave(ws)
  return address
}

/** Says that what was just deleted or redacted will be so at the place too; of what is redacted, all `but` something. */
export function noteStillThere(
  ws: Workspace,
  address: string,
  done: 'deleted' | 'redacted',
  but: string = '',
): void {
  const next = syncsByItself(ws) ? 'The sync for it has begun.' : 'To do it now: cortext sync'
  note(
    `What was sent of it to ${oneLine(address)} is ${done} there too, and on your other machines when they sync${but}. ${next}`,
  )
}

/** Names what a sparse checkout leaves out of the workspace. Without one, no git is run. */
export async function noteLeftOut({
  root,
  types,
  environment,
}: Pick<Workspace, 'root' | 'types' | 'environment'>) {
  if (!isSparse(root)) return
  // Loaded only here, because few work trees are sparse.
  const { leftOutOf } = await import('../workspace/git/index.ts')
  const folders = [...types.values()].map(({ folder }) => folder)
  const leftOut = await leftOutOf({ root, environment }, folders)
  if (leftOut === undefined) return
  const { length } = leftOut.conversations
  const what = length === 0 ? 'files of this workspace' : countOf(length, 'conversation')
  note(`Git has ${what} that your sparse checkout leaves out. To bring them: ${leftOut.fix}`)
}

/** Reports what a git merge has left to settle, but does not settle it. */
export async function lookAfterGit(ws: Workspace): Promise<void> {
  const words = leftInWords(await lookAtMerges(ws))
  if (words !== undefined)
    note(
      `A merge left conversations to settle: ${words}. The next save, stop or resume settles them. To do it now: cortext doctor --fix`,
    )
}

/**
 * The first step of a verb that changes something. Settles what a git merge has left and reports it. Then saves
 * conversations that have gone quiet. `here` means that the verb runs inside a client. In this case, prints no notes
 * about conversations that were paused or left without a stop, because the client's model would read these notes.
 */
export async function settle(ws: Workspace, { here = false } = {}): Promise<void> {
  noteBack(await bringBackGone(ws))
  await settleAfterGit(ws)
  if (here) await autoPause(ws)
  else await saveQuietAndReport(ws)
}

/** Settles what a git merge has left and reports it. Saves no quiet conversation. */
export async function settleAfterGit(ws: Workspace): Promise<void> {
  if (ws.config.visibility === 'shared') refreshDriver(ws.root, ws.environment.program)
  const { apart, joined, counted } = await settleMerges(ws)
  note(
    apart.map(
      ({ path, others, kept }) =>
        `Two clones had a conversation with the same name. Each now has its own folder (${WORDS[kept]}): ${[path, ...others].join(', ')}`,
    ),
    inShort(joined, 'Joined both sides of a git conflict in the session.json of'),
    inShort(counted, 'Recounted messages after a merge:'),
  )
}

/** Names at most MAX_NAMED conversations; if there are more, gives only their number. */
function inShort(settled: readonly { path: string; kept: Kept }[], did: string): string[] {
  const [first] = settled
  if (first === undefined) return []
  const which =
    settled.length > MAX_NAMED
      ? `${settled.length} conversations`
      : settled.map(({ path }) => path).join(', ')
  return [`${did} ${which} (${WORDS[first.kept]})`]
}

const MAX_NAMED = 3

const WORDS: Record<Kept, string> = {
  committed: 'committed',
  staged: 'staged for your next commit',
  'on disk': 'not committed',
}
