import { goneConversations } from '../../conversation/worktrees.ts'
import { CortextError } from '../../errors.ts'
import { statInside } from '../../io/inside.ts'
import { forgetGoneFolder, isFolderNotedGone } from '../../store/machine/copies.ts'
import { writeLog } from '../../store/machine/log.ts'
import type { Workspace } from '../../workspace/open.ts'

/**
 * Brings back the conversations of a private workspace of which a whole folder of conversations is gone, as after
 * `git clean -x` or `rm -rf conversations`, also if a conversation was begun there since. Returns their paths. One that cannot be brought back is only logged; `doctor`
 * reports it. Looks for no single lost conversation, because this is called before most verbs.
 */
export async function bringBackGone(ws: Workspace): Promise<string[]> {
  const folders = new Set([...ws.types.values()].map(({ folder }) => folder))
  const areThere = [...folders].every((folder) => statInside(ws.root, folder) !== undefined)
  if (!ws.keepIndex || (areThere && !isFolderNotedGone(ws.local))) return []
  const gone = goneConversations(ws.root, ws.local)
  if (gone.length === 0) {
    forgetGoneFolder(ws.local)
    return []
  }
  // Loaded only here, because conversations are seldom gone.
  const { publish } = await import('../../conversation/publish.ts')
  const back: string[] = []
  for (const path of gone)
    try {
      await publish(ws, path)
      back.push(path)
    } catch (error) {
      if (!(error instanceof CortextError)) throw error
      writeLog(ws.local, `bringing back ${path}: ${error.message}`)
    }
  forgetGoneFolder(ws.local)
  return back
}
