import { dirname } from 'node:path'
import { writeFileAtomic } from '../io/atomic-write.ts'
import { accessFile } from '../io/file-error.ts'
import { makeFolders } from '../io/real-folder.ts'
import { appendRegular, readText } from '../io/regular-file.ts'
import { type Outside, stateFile } from '../io/state-file.ts'
import { parseJson } from '../text/json.ts'

/**
 * This file is part of the hook bundle: it uses no library. It keeps lists in the person's home. Each line is JSON,
 * because a path may contain a line break.
 */

/** The values of a list, in the order in which they were added; without what a full disk has cut. Throws `unreadable`. */
export function readHomeList(outside: Outside, name: string): unknown[] {
  const lines = (readText(stateFile(outside, name)) ?? '').split('\n')
  return lines.map(parseJson).filter((value) => value !== undefined)
}

/** Adds a value to a list, on a line of its own also after what a full disk has cut. Throws `unwritable`. */
export function addToHomeList(outside: Outside, name: string, value: unknown): void {
  const list = stateFile(outside, name)
  accessFile(list, 'write', () => makeFolders(dirname(list), 0o700))
  const isTorn = /[^\n]$/.test(readText(list) ?? '')
  appendRegular(list, (isTorn ? '\n' : '') + lineOf(value))
}

/** Takes values off a list. Throws `unreadable` or `unwritable`. */
export function takeOffHomeList(outside: Outside, name: string, isGone: (value: unknown) => boolean): void {
  const values = readHomeList(outside, name)
  const kept = values.filter((value) => !isGone(value))
  if (kept.length < values.length)
    writeFileAtomic(stateFile(outside, name), kept.map(lineOf).join(''), { mode: 0o600 })
}

function lineOf(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}
