import { lstatSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { CortextError } from '../errors.ts'
import { accessFile } from '../io/file-error.ts'
import { realFolder } from '../io/real-folder.ts'
import type { Outside } from '../io/state-file.ts'
import { loadConfig } from './config.ts'
import { addToHomeList, readHomeList, takeOffHomeList } from './home-list.ts'

/**
 * The list of the workspaces that this person works in on this machine. It is a file in the person's home. Three things
 * put a workspace on the list: `init`, verbs that record or resume, and our slash commands. Verbs that only read put
 * none on it, and neither do other hooks. So a clone that the person only looks at never gets onto the list. Verbs use
 * the list to find workspaces in other folders. An agent whose client was not started in a workspace may use the
 * workspaces on the list (journeys/agent-workspace.ts).
 */

/** The roots on the list, each once. Throws `unreadable`. */
export function listRoots(outside: Outside): string[] {
  const roots = readHomeList(outside, LIST)
  return [...new Set(roots.filter((root) => typeof root === 'string' && isAbsolute(root)))] as string[]
}

/**
 * Puts a workspace on the list. Does nothing if its settings say `"everywhere": false`. A failure is ignored, because
 * the sandbox of an agent may forbid writing into the home.
 */
export function putOnList(root: string, outside: Outside): void {
  try {
    if (loadConfig(root).everywhere && !listRoots(outside).includes(root)) addToHomeList(outside, LIST, root)
  } catch (error) {
    if (!(error instanceof CortextError)) throw error
  }
}

/** Takes workspaces off the list. Throws `unreadable` or `unwritable`. */
export function takeOffEverywhere(roots: readonly string[], outside: Outside): void {
  takeOffHomeList(outside, LIST, (root) => roots.includes(root as string))
}

const LIST = 'everywhere'

/**
 * Whether there is no workspace at `root` any more, or only a link to its new path. Throws `unreadable` when this user
 * may not read the path.
 */
export function isGone(root: string): boolean {
  if (realFolder(root) !== root) return true
  const path = join(root, '.workspace')
  return accessFile(path, 'read', () => lstatSync(path, { throwIfNoEntry: false }) === undefined)
}
