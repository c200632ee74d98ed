import { gitSeesRecord } from '../../conversation/held-back.ts'
import { goneConversations } from '../../conversation/worktrees.ts'
import { CortextError } from '../../errors.ts'
import { statInside } from '../../io/inside.ts'
import {
  bringBack,
  forgetGoneFolder,
  forgetLinked,
  heldInLinked,
  isFolderNotedGone,
  linkedWithCopies,
} from '../../store/machine/copies.ts'
import { writeLog } from '../../store/machine/log.ts'
import { pathNamed } from '../../store/machine/metadata-backup.ts'
import type { Workspace } from '../../workspace/open.ts'
import { linkedNames } from '../../workspace/repository.ts'

/**
 * Brings back the conversations of a private workspace of which a whole folder of conversations is gone, as after
 * `git clean -x` or `rm -rf conversations`, also if a conversation was begun there since. Returns their paths. Takes over
 * those that were held in a worktree that is gone, with their documents as they were there. One that cannot be brought
 * back is only logged; `doctor` reports it. Looks for no single lost conversation, because this is called before most
 * verbs.
 */
export async function bringBackGone(ws: Workspace): Promise<string[]> {
  if (!ws.mayWrite) return []
  const folders = new Set([...ws.types.values()].map(({ folder }) => folder))
  const areThere = [...folders].every((folder) => statInside(ws.root, folder) !== undefined)
  // Makes a folder of conversations, but not all of them come back by it.
  await takeOverFromGone(ws)
  if (areThere && !isFolderNotedGone(ws.local)) return []
  const back = await publishEach(ws, goneConversations(ws.root, ws.local))
  forgetGoneFolder(ws.local)
  return back
}

async function takeOverFromGone(ws: Workspace): Promise<void> {
  const withCopies = linkedWithCopies(ws.local)
  // In a shared workspace they belong to another branch.
  if (withCopies.length === 0 || gitSeesRecord(ws)) return
  const present = new Set(linkedNames(ws.root))
  for (const linked of withCopies.filter((name) => !present.has(name))) {
    const paths = heldInLinked(ws.local, linked).flatMap((name) => pathNamed(ws.local, name) ?? [])
    if (paths.length === 0) continue
    const { bringBackFromHistory } = await import('../../conversation/keeping/from-history.ts')
    const bringFiles = (path: string) => {
      bringBack(ws.local, ws.root, path)
      // Also what is no document, such as a table.
      bringBackFromHistory(ws, path)
    }
    for (const path of await publishEach(ws, paths, bringFiles)) forgetLinked(ws.local, linked, path)
  }
}

/** Returns the paths of those that could be published. */
async function publishEach(
  ws: Workspace,
  paths: readonly string[],
  before: (path: string) => void = () => undefined,
): Promise<string[]> {
  if (paths.length === 0) return []
  // Loaded only here, because conversations are seldom gone.
  const { publish } = await import('../../conversation/publish.ts')
  const done: string[] = []
  for (const path of paths)
    try {
      before(path)
      await publish(ws, path)
      done.push(path)
    } catch (error) {
      if (!(error instanceof CortextError)) throw error
      writeLog(ws.local, `bringing back ${path}: ${error.message}`)
    }
  return done
}
