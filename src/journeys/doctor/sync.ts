import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { readAutoSync, readPlace } from '../../store/machine/place.ts'
import { oneLine, shortLine } from '../../text/line.ts'
import { paste } from '../../text/paste.ts'
import { relativeTime } from '../../text/relative-time.ts'
import { CONFIG } from '../../workspace/config.ts'
import { isOpenToOthers, keyFile } from '../../workspace/keys.ts'
import type { Workspace } from '../../workspace/open.ts'
import { syncsByItself } from '../syncing/auto.ts'
import { placeToMention, refusedSuggestion } from '../syncing/choosing/suggested.ts'
import { awaitedPlace, unsentSince } from '../syncing/unsent.ts'
import { type Finding, note, ok, problem } from './finding.ts'

/** Says whether the place of `cortext sync` has all that was saved, and which other one the settings name. */
export function syncFindings(ws: Workspace): Finding[] {
  return [...placeFindings(ws), ...suggestionFindings(ws)]
}

function suggestionFindings(ws: Workspace): Finding[] {
  const refused = refusedSuggestion(ws)
  if (refused !== undefined) return [note('place-refused', refused, `correct it in ${CONFIG}`)]
  const found = placeToMention(ws)
  if (found === undefined) return []
  const { address, now } = found
  const change = paste`cortext sync --to ${address}`
  return [
    now === undefined
      ? note(
          'place-suggested',
          `the settings of this project name a place, ${address}; nothing goes there before you confirm it`,
          change,
        )
      : note(
          'place-changed',
          `the settings of this project name another place, ${address}; the conversations still go to ${oneLine(now)}`,
          `${change}; to keep it: ${paste`cortext sync --to ${now}`}`,
        ),
  ]
}

/** Without a place, there is nothing to say. */
function placeFindings(ws: Workspace): Finding[] {
  const place = readPlace(ws.local)
  const address = place?.address ?? awaitedPlace(ws)
  if (address === undefined) return []
  const since = unsentSince(ws)
  const last =
    since instanceof Date ? `last sync ${relativeTime(since, ws.environment.now())}` : 'never synced'
  const to = oneLine(address)
  return [
    ...(isAbsolute(address) && !existsSync(address)
      ? [note('place-away', `${to} is not there now`, 'connect the disk, or start what copies it')]
      : []),
    ...(since !== undefined
      ? [note('unsent', `not all that was saved was sent to ${to} (${last})`, 'cortext sync')]
      : []),
    ...(since === undefined && place?.at === undefined
      ? [note('unsent', `nothing was sent to ${to} yet`, 'cortext sync')]
      : []),
    ...(since === undefined && place?.at !== undefined && place.left === undefined
      ? [ok('sent', `${to} has what was saved; documents that were edited since go with the next sync`)]
      : []),
    ...(place?.joined !== undefined && place.there === undefined
      ? [
          note(
            'sync-open',
            `the last sync has left ${inShort(place.left)} at ${to} or here as it was`,
            'cortext sync',
          ),
        ]
      : []),
    ...(place?.sealed !== undefined && isOpenToOthers(ws.environment)
      ? [
          problem(
            'key-open',
            `other users of this machine can read ${keyFile(ws.environment)}`,
            paste`chmod 600 ${keyFile(ws.environment)}`,
          ),
        ]
      : []),
    ...(syncsByItself(ws) && readAutoSync(ws.local)?.failed
      ? [problem('sync-failed', 'the last automatic sync failed; a sync by hand says why', 'cortext sync')]
      : []),
  ]
}

/** Names the first of what a sync has left. A stranger may have made thousands, with long names. */
function inShort([first, ...more]: readonly string[] = []): string {
  if (first === undefined) return 'something'
  return more.length === 0
    ? shortLine(first, LONGEST_NAME)
    : `${shortLine(first, LONGEST_NAME)} and ${more.length} more`
}

const LONGEST_NAME = 200
