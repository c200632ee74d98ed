import { lstatSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { CortextError } from '../errors.ts'
import { writeFileAtomic } from '../io/atomic-write.ts'
import { errnoOf, fileError } from '../io/file-error.ts'
import { makeFolders, realFolder } from '../io/real-folder.ts'
import { appendRegular, readText } from '../io/regular-file.ts'
import { type Outside, stateFile } from '../io/state-file.ts'
import { loadConfig } from './config.ts'

/**
 * The list of the workspaces that this person works in on this machine. It is a file in the person's home; each line is
 * a path as JSON, because a path may contain a line break. Three things put a workspace on the list: `init`, verbs that
 * record or resume, and our slash commands. Verbs that only read put none on it, and neither do other hooks. So a clone
 * that the person only looks at never gets onto the list. Verbs use the list to find workspaces in other folders. An
 * agent whose client was not started in a workspace may use the workspaces on the list (journeys/agent-workspace.ts).
 */

/** The roots on the list, each once. Throws `unreadable`. */
export function listRoots(outside: Outside): string[] {
  return [...new Set(linesIn(outside))]
}

/**
 * Puts a workspace on the list. Does nothing if its settings say `"everywhere": false`. A failure is ignored, because
 * the sandbox of an agent may forbid writing into the home.
 */
export function putOnList(root: string, outside: Outside): void {
  try {
    if (!loadConfig(root).everywhere || linesIn(outside).includes(root)) return
    const list = listPath(outside)
    makeFolders(dirname(list), 0o700)
    appendRegular(list, lineOf(root))
  } catch (error) {
    if (!(error instanceof CortextError) && errnoOf(error) === undefined) throw error
  }
}

/** Takes workspaces off the list. Throws `unreadable` or `unwritable`. */
export function takeOffEverywhere(roots: readonly string[], outside: Outside): void {
  const lines = linesIn(outside)
  const kept = [...new Set(lines)].filter((root) => !roots.includes(root))
  if (roots.some((root) => lines.includes(root)))
    writeFileAtomic(listPath(outside), kept.map(lineOf).join(''), { mode: 0o600 })
}

/**
 * Whether there is no workspace at `root` any more, or only a link to its new path. Throws `unreadable` when this user
 * may not read the path.
 */
export function isGone(root: string): boolean {
  if (realFolder(root) !== root) return true
  const path = join(root, '.workspace')
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined
  } catch (error) {
    throw fileError(error, path, 'read')
  }
}

function listPath(outside: Outside): string {
  return stateFile(outside, 'everywhere')
}

function linesIn(outside: Outside): string[] {
  return (readText(listPath(outside)) ?? '').split('\n').flatMap((text) => rootIn(text) ?? [])
}

function rootIn(text: string): string | undefined {
  try {
    const root: unknown = JSON.parse(text)
    return typeof root === 'string' && isAbsolute(root) ? root : undefined
  } catch {
    // The line is empty, or a full disk has cut it.
    return undefined
  }
}

function lineOf(root: string): string {
  return `${JSON.stringify(root)}\n`
}
