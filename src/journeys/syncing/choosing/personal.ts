import { hasGit } from '../../../conversation/keeping/open-history.ts'
import { CortextError } from '../../../errors.ts'
import type { Workspace } from '../../../workspace/open.ts'
import { syncsByItself } from '../auto.ts'
import { sync } from '../sync.ts'
import { awaitedPlace } from '../unsent.ts'
import { choosePlace } from './choose-place.ts'

/** What the person's place for all private workspaces has for a new workspace. */
export type FoundAtPlace =
  /**
   * `taken`: the paths of the conversations that are here now. Absent: no machine has sent this project there.
   * `byItself`: they are sent without being asked.
   */
  | { address: string; taken?: string[]; byItself: boolean }
  /** It could not be reached, or it is not certain which branch is this project's. */
  | { address: string; problem: string; fix: string }

/**
 * Looks for this project at the person's place for all private workspaces, and takes what is there. Undefined if there
 * is no such place. Nothing is sent to a place that does not have the project. Throws what files throw.
 */
export async function takeFromPersonal(ws: Workspace): Promise<FoundAtPlace | undefined> {
  const address = awaitedPlace(ws)
  if (address === undefined || !hasGit(ws)) return undefined
  try {
    const { isNew } = await choosePlace(ws, address, { makes: false, timeoutMs: PATIENCE_MS })
    const taken = isNew ? undefined : (await sync(ws)).taken
    return { address, ...(taken && { taken }), byItself: syncsByItself(ws) }
  } catch (error) {
    if (!(error instanceof CortextError)) throw error
    const fix = error.code === 'ambiguous' ? error.fix! : 'cortext sync'
    return { address, problem: error.message, fix }
  }
}

/** Nobody has asked for the place by name, so nobody waits for it longer. */
const PATIENCE_MS = 15_000
