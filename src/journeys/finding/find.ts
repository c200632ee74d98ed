import { isAbsolute, join, normalize, resolve } from 'node:path'
import { CortextError } from '../../errors.ts'
import { isFileInside } from '../../io/inside.ts'
import { realFolder } from '../../io/real-folder.ts'
import { type Match, match } from '../../session/match.ts'
import { looksLikeName, namedExactly, numbersOf } from '../../session/names.ts'
import { SESSION_FOLDER } from '../../store/layout.ts'
import { cutAtWord, oneLine } from '../../text/line.ts'
import type { Workspace } from '../../workspace/open.ts'
import { type Listed, listConversations } from './list.ts'
import type { Searched } from './search.ts'

/** The conversations that a query means; `isNamed` when the query names them, so that nothing was guessed. */
export interface FoundConversations<T = Listed> extends Match<T> {
  isNamed: boolean
}

/**
 * The one conversation with this name, to the letter: its id, date and id, number, day and number, key, or the path of
 * its folder, its document or its `.session`, from the root of the workspace or from the working folder. Whatever
 * changes or removes finds it by this and nothing else. Throws `not-found` and `ambiguous`, with candidates.
 */
export function findExact(ws: Workspace, name: string): Listed {
  const { conversations } = listConversations(ws)
  const found = namedIn(name, conversations, ws.environment.cwd)
  if (found.length === 1) return found[0]!
  throw found.length > 1 ? ambiguous(name, found, conversations) : notFound(name, conversations)
}

/**
 * The same for whatever only reads. It may guess by title where nothing has this name (allToRead), and `guess` says so.
 * Throws `not-found` and `ambiguous`, with candidates.
 */
export function findToRead(ws: Workspace, name: string): { one: Listed; guess?: string } {
  const { conversations } = listConversations(ws)
  const { found, isNamed } = allToRead(ws, name, conversations)
  if (found.length > 1) throw ambiguous(name, found, conversations)
  if (found.length === 0) throw notFound(name, conversations)
  const one = found[0]!
  return isNamed
    ? { one }
    : { one, guess: `${noneIs(name)}; the nearest title: ${calledIn(one, conversations)}` }
}

/** Everything that a name may mean for a verb that only reads: an exact name, else a title. A path is never guessed. */
export function allToRead(
  ws: Workspace,
  name: string,
  conversations: readonly Listed[],
): Pick<FoundConversations, 'found' | 'isNamed'> {
  const named = namedIn(name, conversations, ws.environment.cwd)
  if (named.length > 0) return { found: named, isNamed: true }
  const isPath = /[/\\]/.test(name) && looksLikeName(name)
  return { found: isPath ? [] : match(name, conversations, 'title').found, isNamed: false }
}

/** Finds the conversations of a workspace that a query means (findAmong): among all, or among some. */
export function findConversations(
  ws: Workspace,
  query: string,
  conversations: readonly Listed[] = listConversations(ws).conversations,
): Promise<FoundConversations> {
  return findAmong(query, conversations, ws.environment.cwd, async () => {
    // Most queries name a title, and need none of it.
    const { searchConversations } = await import('./search.ts')
    return searchConversations(ws, query, { archived: true })
  })
}

/**
 * Finds conversations by name (findExact), and by words only where the query can be words: in title, id, summary and
 * tags, then by near misses, and last by what was said, best first. Then more than half of what was asked for has to be
 * there, because a wrong conversation is worse than none. When several match, the caller asks.
 */
export async function findAmong<T extends Listed>(
  query: string,
  conversations: readonly T[],
  cwd: string,
  search: () => Promise<Searched | undefined>,
): Promise<FoundConversations<T>> {
  const named = namedIn(query, conversations, cwd)
  if (named.length > 0) return { found: named, nearest: [], isNamed: true }
  const result = match(query, conversations)
  if (looksLikeName(query)) return { found: [], nearest: candidates(query, conversations), isNamed: false }
  if (result.found.length > 0) return { ...result, isNamed: false }
  const ranked = (await search())?.found ?? []
  const byFolder = new Map(conversations.map((one) => [one.folder, one]))
  const found = ranked.flatMap(({ candidate: { root, path }, covered }) => {
    const one = byFolder.get(`${root}/${path}`)
    return one !== undefined && covered > MIN_COVERED ? [one] : []
  })
  return { found, nearest: found.length > 0 ? [] : result.nearest, isNamed: false }
}

const MIN_COVERED = 0.5

/** Those that a name means by any reading: one that means two is for nobody to choose. */
export function namedIn<T extends Listed>(name: string, conversations: readonly T[], cwd: string): T[] {
  const typed = name.trim()
  if (typed === '') return []
  const named = new Set(namedExactly(typed, conversations))
  const from = resolve(realFolder(cwd), typed)
  const places = new Set([from, realFolder(from)])
  return conversations.filter((one) => named.has(one) || leadsTo(one, typed, places))
}

/** Whether one of these places, or what was typed as a path from its root, is the conversation's. */
function leadsTo({ path, folder }: Listed, typed: string, places: ReadonlySet<string>): boolean {
  const below = isAbsolute(typed) ? undefined : normalize(typed).replace(/\/+$/, '')
  const isAt = (inside: string) =>
    places.has(join(folder, inside)) || (below !== undefined && below === normalize(join(path, inside)))
  if (isAt('') || isAt(SESSION_FOLDER)) return true
  if (!typed.endsWith('.md')) return false
  const name = typed.slice(typed.lastIndexOf('/') + 1)
  return isAt(name) && isFileInside(folder, name)
}

function ambiguous(name: string, found: readonly Listed[], all: readonly Listed[]): CortextError {
  return new CortextError(
    'ambiguous',
    [
      `"${oneLine(name)}" means ${found.length} conversations:`,
      ...calledLines(found.slice(0, MAX), all),
    ].join('\n'),
    { fix: 'cortext list --all' },
  )
}

function notFound(name: string, all: readonly Listed[]): CortextError {
  return new CortextError(
    'not-found',
    [noneIs(name), ...candidateLines(candidates(name, all), all)].join('\n'),
    {
      fix: 'cortext list --all',
    },
  )
}

const MAX = 10

function noneIs(name: string): string {
  return /^\d+$/.test(name.trim()) ? `no number ${name.trim()}` : `no conversation "${oneLine(name)}"`
}

/** Those that may have been meant. */
function candidates<T extends Listed>(name: string, all: readonly T[]): T[] {
  const { found, nearest } = match(name, all, 'title')
  return [...found, ...nearest].slice(0, 5)
}

/** The nearest, by number, title and day; the newest where none is near. They are for a person to choose from. */
export function candidateLines<T extends Listed>(nearest: readonly T[], all: readonly T[]): string[] {
  if (nearest.length > 0) return ['the nearest:', ...calledLines(nearest, all)]
  return all.length === 0 ? [] : ['the newest:', ...calledLines(all.slice(0, 3), all)]
}

function calledLines(some: readonly Listed[], all: readonly Listed[]): string[] {
  return some.map((one) => `  ${calledIn(one, all)}`)
}

/** `3 "API design" (2026-11-21)`: by the number that names it among all, by title, and by the folder of its day. */
export function calledIn(one: Listed, all: readonly Listed[]): string {
  const number = numbersOf([one], all).get(one)!
  return `${oneLine(number)} "${cutAtWord(oneLine(one.title), 100)}" (${oneLine(one.datedId.split('/')[0]!)})`
}
