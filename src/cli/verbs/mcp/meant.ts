import { findAllToRead, findExact, findToRead } from '../../../journeys/finding/find.ts'
import { type Listed, listConversations } from '../../../journeys/finding/list.ts'
import { searchConversations } from '../../../journeys/finding/search.ts'
import { looksLikeName } from '../../../session/names.ts'
import { safeLine } from '../../../session/resume-block.ts'
import { countOf } from '../../../text/count-of.ts'
import type { Workspace } from '../../../workspace/open.ts'

/**
 * Finds the one conversation that a model names. If the conversation was guessed by its title, `guess` contains a line
 * that says so. Nothing is guessed for a number, an id or a path. Throws `not-found` and `ambiguous`, with candidates.
 */
export function findMeant(ws: Workspace, name: string): { path: string; guess: string[] } {
  if (looksLikeName(name)) return { path: findExact(ws, name).path, guess: [] }
  const { one, guess } = findToRead(ws, name)
  return { path: one.path, guess: guess === undefined ? [] : [safeLine(guess)] }
}

/**
 * Finds all conversations that words may mean by their titles. Those that say most about `about` come first. If no
 * title fits, finds conversations in which the words were said, best first. Undefined if nothing fits. Also undefined
 * if the words look like an id or fit exactly one title, because `findMeant` finds such a conversation.
 */
export async function findSeveral(
  ws: Workspace,
  words: string,
  about: string,
): Promise<{ found: Listed[]; guess: string } | undefined> {
  if (looksLikeName(words)) return undefined
  const { conversations: all } = listConversations(ws)
  const { found: titled } = findAllToRead(ws, words, all)
  if (titled.length === 1) return undefined
  const quoted = `"${safeLine(words)}"`
  if (titled.length > 1) {
    const ranked = (await rankedBy(ws, about)).map(({ path }) => path)
    const found = [
      ...ranked.flatMap((path) => titled.find((one) => one.path === path) ?? []),
      ...titled.filter((one) => !ranked.includes(one.path)),
    ]
    return { found, guess: `${quoted} means ${found.length} conversations` }
  }
  const said = (await rankedBy(ws, words)).filter(({ covered }) => covered > MIN_COVERED)
  const found = said.flatMap(({ path }) => all.find((one) => one.path === path) ?? [])
  if (found.length === 0) return undefined
  return { found, guess: `No title has ${quoted}; ${countOf(found.length, 'conversation')} said it` }
}

/**
 * If no title fits, a conversation must contain more than this part of the words. A wrong conversation is worse than
 * none.
 */
const MIN_COVERED = 0.5

async function rankedBy(ws: Workspace, text: string): Promise<{ path: string; covered: number }[]> {
  const searched = await searchConversations(ws, text)
  return (searched?.found ?? []).map(({ candidate: { path }, covered }) => ({ path, covered }))
}
