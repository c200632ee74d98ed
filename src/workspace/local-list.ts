import { dirname } from 'node:path'
import { writeFileAtomic } from '../io/atomic-write.ts'
import { fileError } from '../io/file-error.ts'
import { makeFolders } from '../io/real-folder.ts'
import { appendRegular, readText } from '../io/regular-file.ts'
import { type Outside, stateFile } from '../io/state-file.ts'

/**
 * This file is part of the hook bundle: it uses no library. It keeps a list in the person's home. The list has the
 * local folders outside git that this machine has made, with their workspaces, and the local folders in git's directory
 * that it has checked.
 */

/** A local folder outside git, or a checked local folder in git's directory. */
export interface Line {
  /** The random name of a local folder outside git; IN_GIT for a local folder in git's directory. */
  name: string
  /** Outside git: the workspace's root, with its links resolved. In git's directory: the path of the local folder. */
  root: string
}

export const IN_GIT = 'git'

/** Every line, in the order in which they were written. Throws `unreadable`. */
export function readList(outside: Outside): Line[] {
  return (readText(listPath(outside)) ?? '').split('\n').flatMap((text) => lineIn(text) ?? [])
}

/** Adds a line. Throws `unwritable`. */
export function addToList(outside: Outside, line: Line): void {
  const list = listPath(outside)
  try {
    makeFolders(dirname(list), 0o700)
    appendRegular(list, jsonLine(line))
  } catch (error) {
    throw fileError(error, list, 'write')
  }
}

/** Takes lines off the list. Throws `unreadable` or `unwritable`. */
export function takeOffList(outside: Outside, isGone: (line: Line) => boolean): void {
  const lines = readList(outside)
  const kept = lines.filter((line) => !isGone(line))
  if (kept.length < lines.length)
    writeFileAtomic(listPath(outside), kept.map(jsonLine).join(''), { mode: 0o600 })
}

function listPath(outside: Outside): string {
  return stateFile(outside, 'workspaces')
}

function lineIn(text: string): Line | undefined {
  try {
    const [name, root]: unknown[] = JSON.parse(text)
    return typeof name === 'string' && NAME.test(name) && typeof root === 'string'
      ? { name, root }
      : undefined
  } catch {
    // The line is empty, or a full disk has cut it.
    return undefined
  }
}

const NAME = /^(?:[0-9a-f]{32}|git)$/

function jsonLine({ name, root }: Line): string {
  return `${JSON.stringify([name, root])}\n`
}
