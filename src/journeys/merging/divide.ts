import { basename } from 'node:path'
import { placeInside } from '../../io/inside.ts'
import { SessionFile } from '../../session/schema.ts'
import { apartPath } from '../../session/sharing/apart.ts'
import { joinSides } from '../../session/sharing/join-sides.ts'
import { withLockSync } from '../../store/machine/locks/lock.ts'
import { divideRecord, type Part } from '../../store/record/divide.ts'
import { readRecord } from '../../store/record/index.ts'
import { readSession, writeSession } from '../../store/record/session-file.ts'
import type { Workspace } from '../../workspace/open.ts'
import { counted } from './counted.ts'
import { divideDocument } from './divide-document.ts'
import type { History, Past } from './past.ts'

/** Several conversations in one folder, the oldest first. `told` is what its session.json says. */
interface Together {
  path: string
  conversations: readonly SessionFile[]
  told: SessionFile
}

interface Place extends Part {
  path: string
}

/**
 * Gives each conversation of a folder one of its own, with its words, its metadata and its document. The oldest stays;
 * the names of the others are the same in every clone. Throws `locked`, and what files throw; then the next call does
 * the rest.
 */
export function divide(ws: Workspace, { path, conversations, told }: Together, history: History): void {
  const type = told.conversation_type
  const past = history.pastOf(
    path,
    type,
    conversations.flatMap(({ origin }) => origin ?? []),
  )
  const places = conversations.map((one, at): Place => {
    const place = at === 0 ? path : apartPath(path, one.origin!)
    const session = { ...asKnown(one, told, past), conversation_id: basename(place) }
    return { path: place, folder: placeInside(ws.root, place), session }
  })
  const own = places.slice(1).map((place) => history.documentsOf(place.path, type))
  withLockSync(ws.local, `conversation/${path}`, () => {
    places.slice(1).forEach(checkFree)
    divideRecord(readRecord(places[0]!.folder, undefined, true), places)
    for (const place of places.toReversed()) writeDescribed(place, place.path !== path)
    divideDocument(ws.root, places, type, { past, own })
  })
}

/** Where a merge has kept the metadata of one side alone, git's history still has that of the other. */
function asKnown(one: SessionFile, told: SessionFile, past: ReadonlyMap<string, Past>): SessionFile {
  const isTold = [told, ...(told.merged ?? [])].some((side) => Object(side).origin === one.origin)
  const before = isTold ? undefined : past.get(one.origin!)?.session
  return before ?? one
}

/** No conversation but this one has its name, unless somebody has made it so by hand. */
function checkFree({ folder, session }: Place): void {
  const there = readSession(folder)?.session
  if (there !== undefined && there.origin !== session.origin)
    throw new Error(`${folder} is another conversation`)
}

function writeDescribed({ folder, session }: Place, isNew: boolean): void {
  // Its own folder may be there: a rebase brings a conversation in several steps.
  const there = isNew ? readSession(folder)?.session : undefined
  const joined = there === undefined ? session : SessionFile.parse(joinSides(there, session))
  const { merged: _, ...one } = joined
  writeSession(folder, { ...one, ...counted(one, readRecord(folder)) })
}
