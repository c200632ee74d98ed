import { keepWorkspace } from '../../conversation/keeping/history.ts'
import { MAJOR_VERSION } from '../../session/schema.ts'
import { type Gone, isDeleted, markOf, readPlace, updatePlace } from '../../store/machine/place.ts'
import { scanConversations } from '../../store/scan.ts'
import type { OwnRepository } from '../../workspace/git/own-repository.ts'
import { JOINED } from '../../workspace/git/place.ts'
import type { Workspace } from '../../workspace/open.ts'
import { readRegistry } from '../../workspace/registry.ts'
import { allWithKey } from '../agent-loop/by-key.ts'
import { deleteConversation } from '../editing/delete.ts'
import { type Coming, planJoin } from './plan.ts'
import { sideIn, sidesOf } from './read-sides.ts'
import { moveApart, receive, receiveSettings } from './receive.ts'
import type { Sent } from './sides.ts'
import type { Synced } from './synced.ts'

/**
 * Joins what `FETCHED` has into this machine. Returns the origins of the conversations that stay at the place only, and
 * whether this program does not know some of them.
 */
export async function joinAll(
  ws: Workspace,
  repository: OwnRepository,
  gone: Gone,
  done: Synced,
): Promise<{ left: Set<string>; unknown: boolean }> {
  const sides = sidesOf(ws)
  // What another machine has deleted is compared with what this one has sent.
  for (const [origin, sent] of sideIn(ws, JOINED).conversations)
    if (isDeleted(gone, markOf(origin))) sides.base.conversations.set(origin, sent)
  const { taken, kept } = receiveSettings(ws, repository, sides)
  done.settings = [...new Set([...done.settings, ...kept])]
  let unknown = false
  const folders = [...readRegistry(ws.root).types.values()].map(({ folder }) => `${folder}/`)
  const left = new Set<string>()
  const coming: Coming[] = []
  for (const step of planJoin(sides, gone)) {
    const path = 'path' in step ? step.path : step.ours.path
    if (step.do === 'move') moveApart(ws, repository, step.ours.path, step.path)
    else if (step.do === 'delete') {
      noteDeleting(ws, [markOf(step.origin)])
      deleteConversation(ws, path, { isNews: false })
      done.deleted.push(path)
    } else if (step.do === 'ask') {
      left.add(step.origin)
      done.asked.push(path)
    } else if (folders.some((folder) => path.startsWith(folder)) && !isNewer(step.theirs)) coming.push(step)
    else {
      left.add(step.origin)
      unknown = true
      done.unknown.push(path)
    }
  }
  noteDeleting(ws, [])
  done.conflicts.push(...receive(ws, repository, coming))
  done.keys.push(...keysOfTwo(ws, coming))
  for (const step of coming) (step.do === 'take' ? done.taken : done.joined).push(step.path)
  if (taken.length > 0) keepWorkspace(ws)
  return { left, unknown }
}

/** The keys of what is new here that another conversation has too. */
function keysOfTwo(ws: Workspace, coming: readonly Coming[]): Synced['keys'] {
  const keys = new Set(
    coming.flatMap(({ do: what, theirs }) => (what === 'take' ? [theirs.session.key] : [])),
  )
  return [...keys].flatMap((key) => {
    if (typeof key !== 'string') return []
    const [means, ...others] = allWithKey(ws, key)
    return others.length === 0 ? [] : [{ key, means: means!, others }]
  })
}

function isNewer({ session }: Sent): boolean {
  return Number.parseInt(String(session.version), 10) > MAJOR_VERSION
}

/** Notes what is being deleted. Throws what files throw. */
function noteDeleting(ws: Workspace, deleting: string[]): void {
  updatePlace(ws.local, (place) =>
    place === undefined || place.deleting.length + deleting.length === 0 ? place : { ...place, deleting },
  )
}

/** Deletes again what a killed sync has begun to delete. */
export function finishDeleting(ws: Workspace): void {
  const { deleting = [] } = readPlace(ws.local) ?? {}
  if (deleting.length === 0) return
  for (const { path, session } of scanConversations(ws.root, ws.local, ws))
    if (session?.origin !== undefined && deleting.includes(markOf(session.origin)))
      deleteConversation(ws, path, { isNews: false })
  noteDeleting(ws, [])
}
