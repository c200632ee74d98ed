import { findExact, findToRead } from '../../../journeys/finding/find.ts'
import { looksLikeName } from '../../../session/names.ts'
import { safeLine } from '../../../session/resume-block.ts'
import type { Workspace } from '../../../workspace/open.ts'

/**
 * Finds the one conversation that a model names. If it was guessed by its title, `guess` is a line that says so. A
 * number, an id or a path is never guessed. Throws `not-found` and `ambiguous`, with candidates.
 */
export function findMeant(ws: Workspace, name: string): { path: string; guess: string[] } {
  if (looksLikeName(name)) return { path: findExact(ws, name).path, guess: [] }
  const { one, guess } = findToRead(ws, name)
  return { path: one.path, guess: guess === undefined ? [] : [safeLine(guess)] }
}
