import { changedSinceHistory, keepWorkspace } from '../../conversation/keeping/history.ts'
import { isIt, movedSinceHistory, moveInHistory, moveInTrees } from '../../conversation/keeping/moves.ts'
import { followMoved } from '../../conversation/moved.ts'
import { publish, stateOf } from '../../conversation/publish.ts'
import { otherTrees } from '../../conversation/worktrees.ts'
import { CortextError } from '../../errors.ts'
import type { SessionFile } from '../../session/schema.ts'
import { isOrigin, originOf } from '../../session/sharing/origin.ts'
import { liveSegment } from '../../store/machine/binding.ts'
import { listBindings } from '../../store/machine/list-bindings.ts'
import { readMetadataBackup } from '../../store/machine/metadata-backup.ts'
import { lastCommit } from '../../store/machine/place.ts'
import { type Entry, scanConversations } from '../../store/scan.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { Synced } from './synced.ts'

/**
 * Saves what has changed in any work tree since the last save, but for what is being talked about now: that goes after
 * its stop. What cannot be saved is told. Throws `locked` and git's errors.
 */
export async function saveAll(ws: Workspace, done: Synced): Promise<void> {
  keepWorkspace(ws)
  const trees = [ws, ...otherTrees(ws)]
  const look = () => trees.map((tree) => ({ tree, entries: scanConversations(tree.root, tree.local, tree) }))
  const before = look()
  const moved = before.flatMap((one) => followMoves(one, before, done))
  const live = talkedAboutNow(ws)
  for (const { tree, entries } of moved.length > 0 ? look() : before) {
    const changed = changedSinceHistory(tree, entries).filter((one) => !live.has(one))
    const state = changed.length > 0 ? await stateOf(tree) : undefined
    const uncommitted: string[] = []
    for (const path of changed)
      try {
        const before = lastCommit(tree.local)
        await publish(tree, path, { change: withOrigin, state })
        if (lastCommit(tree.local) === before) uncommitted.push(path)
      } catch (error) {
        if (!(error instanceof CortextError)) throw error
        done.unsaved.push({ path, message: error.message })
      }
    // A record is whole without its history, so a publishing only logs that it could not be written.
    const still = uncommitted.length > 0 ? changedSinceHistory(tree) : []
    for (const path of uncommitted.filter((one) => still.includes(one)))
      done.unsaved.push({ path, message: 'its history cannot be written. Why: cortext doctor' })
  }
}

interface Tree {
  tree: Workspace
  /** What a scan has found in it. */
  entries: readonly Entry[]
}

/**
 * Follows the folders that a person has moved in a work tree: in the history, and in all work trees, which may have them
 * under an earlier name, or under one that the person gave them there. Returns their paths.
 */
function followMoves({ tree, entries }: Tree, all: readonly Tree[], done: Synced): string[] {
  return movedSinceHistory(tree, entries).flatMap(({ entry, from, earlier }) => {
    const { path } = entry
    followMoved(tree, [entry])
    const moved = { path, origin: entry.session?.origin }
    const kept = earlier.flatMap((name) => readMetadataBackup(tree.local, name) ?? [])
    if (kept.some((one) => isIt(moved, earlier, one.path, one.session.origin))) {
      const message = 'its folder was renamed here, and another work tree still records it under its old name'
      done.unsaved.push({ path, message })
      return []
    }
    moveInTrees(
      tree.local,
      all.map((one) => ({ root: one.tree.root, entries: one.entries })),
      moved,
      earlier,
    )
    if (from !== undefined) moveInHistory(tree, from, path)
    return path
  })
}

/**
 * Another program may have written a record without an origin, by which machines know a conversation. Every machine that
 * has this record gives it the same one.
 */
function withOrigin(session: SessionFile): SessionFile {
  const { origin, created_at: begun, conversation_id: id } = session
  return isOrigin(origin) ? session : { ...session, origin: originOf('record', `${begun} ${id}`) }
}

/** Paths of conversations that a client has open. They go after their stop. */
export function talkedAboutNow({ local }: Workspace): Set<string | undefined> {
  return new Set(listBindings(local).map((binding) => liveSegment(binding)?.conversation))
}
