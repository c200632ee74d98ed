import { lstatSync, mkdirSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { CortextError } from '../errors.ts'
import { writeFileAtomic } from '../io/atomic-write.ts'
import { errnoOf, fileError } from '../io/file-error.ts'
import { realFolder } from '../io/real-folder.ts'
import { appendRegular, readText } from '../io/regular-file.ts'
import { type Outside, stateFile } from '../io/state-file.ts'
import { loadConfig } from './config.ts'

/**
 * The list of the workspaces that this person works in on this machine: a file in their home with one path per line, as
 * JSON, because a path may contain a line break. `init`, the verbs that record or resume, and our
 * commands that a person types in a client put a workspace on it; other hooks, and calls that only read, do not. So a
 * clone that is only looked at never gets onto the list. The list serves to find workspaces; besides, an agent whose
 * client was not started in a workspace may use those on it (journeys/agent-workspace.ts). If a workspace is missing
 * from the list, the next verb that records or resumes there adds it.
 */

/** The roots on the list, each once. Throws `unreadable`. */
export function listRoots(outside: Outside): string[] {
  return [...new Set(linesIn(outside))]
}

/**
 * Puts a workspace on the list, unless its settings say `"everywhere": false`. A failure is ignored, because an agent's
 * shell may not be allowed to write there.
 */
export function putOnList(root: string, outside: Outside): void {
  try {
    if (!loadConfig(root).everywhere || linesIn(outside).includes(root)) return
    const list = listPath(outside)
    mkdirSync(dirname(list), { recursive: true, mode: 0o700 })
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
 * Whether a workspace is gone from its path, or only a link to its new path is left. Throws `unreadable` when the path
 * may not be read.
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
    // An empty line, or a line that a full disk has cut, names no workspace.
    return undefined
  }
}

function lineOf(root: string): string {
  return `${JSON.stringify(root)}\n`
}
