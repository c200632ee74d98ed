import { isAbsolute, join, normalize, resolve } from 'node:path'
import { CortextError } from '../../errors.ts'
import { isFileInside } from '../../io/inside.ts'
import { realFolder } from '../../io/real-folder.ts'
import { type Match, match } from '../../session/match.ts'
import { looksLikeName, namedExactly } from '../../session/names.ts'
import { LIST_ALL } from '../../session/resumable-lines.ts'
import { SESSION_FOLDER } from '../../store/layout.ts'
import { cutAtWord, oneLine } from '../../text/line.ts'
import type { Workspace } from '../../workspace/open.ts'
import { type Listed, listConversations } from './list.ts'
import type { SearchResult } from './search.ts'

/** The conversations that a query means. */
export interface FoundConversations<T = Listed> extends Match<T> {
  /** The query names them exactly, so nothing was guessed. */
  isNamed: boolean
}

/**
 * Returns the one conversation with exactly this name. A name is an id, a date and id, a number, a day and number, a
 * key or a path. The path leads to the folder, the document or `.session`, from the workspace's root or the working
 * folder. Verbs that change or remove a conversation accept only such a name. Throws `not-found` and `ambiguous`, with
 * candidates.
 */
export function findExact(ws: Workspace, name: string): Listed {
  const { conversations } = listConversations(ws)
  const found = namedIn(name, conversations, ws.environment.cwd)
  if (found.length === 1) return found[0]!
  throw found.length > 1 ? ambiguous(name, found) : notFound(name, conversations)
}

/**
 * Like `findExact`, but for verbs that only read. If no conversation has this name, one may be found by its title
 * (findAllToRead); then `guess` says so. Throws `not-found` and `ambiguous`, with candidates.
 */
export function findToRead(ws: Workspace, name: string): { one: Listed; guess?: string } {
  const { conversations } = listConversations(ws)
  const { found, isNamed } = findAllToRead(ws, name, conversations)
  if (found.length > 1) throw ambiguous(name, found)
  if (found.length === 0) throw notFound(name, conversations)
  const one = found[0]!
  return isNamed ? { one } : { one, guess: `${nothingNamed(name)}; the nearest title: ${called(one)}` }
}

/**
 * Returns all conversations that a name may mean for a verb that only reads: by exact name, else by title. A path is
 * never matched with titles.
 */
export function findAllToRead(
  ws: Workspace,
  name: string,
  conversations: readonly Listed[],
): Pick<FoundConversations, 'found' | 'isNamed'> {
  const named = namedIn(name, conversations, ws.environment.cwd)
  if (named.length > 0) return { found: named, isNamed: true }
  const isPath = /[/\\]/.test(name) && looksLikeName(name)
  return { found: isPath ? [] : match(name, conversations, 'title').found, isNamed: false }
}

/**
 * Finds the conversations of a workspace that a query means (see findAmong). By default, searches all conversations.
 */
export function findConversations(
  ws: Workspace,
  query: string,
  conversations: readonly Listed[] = listConversations(ws).conversations,
): Promise<FoundConversations> {
  return findAmong(query, conversations, ws.environment.cwd, async () => {
    // Most queries name a title and need no search.
    const { searchConversations } = await import('./search.ts')
    return searchConversations(ws, query, { archived: true })
  })
}

/**
 * Finds conversations by exact name (see findExact). If no conversation has this name and the query does not look like
 * a name, searches titles, ids, summaries and tags, and allows typos. Searches the messages if nothing matches there.
 * More than half of the query has to match in messages, because a wrong conversation is worse than none. The best match
 * is first. If several match, the caller asks the person.
 */
export async function findAmong<T extends Listed & { root?: string }>(
  query: string,
  conversations: readonly T[],
  cwd: string,
  search: () => Promise<SearchResult | undefined>,
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

/**
 * Returns all conversations that have this exact name (`namedExactly`). If there are none, those whose path the name is.
 * A name counts in each workspace by itself.
 */
export function namedIn<T extends Listed & { root?: string }>(
  name: string,
  conversations: readonly T[],
  cwd: string,
): T[] {
  const typed = name.trim()
  if (typed === '') return []
  const roots = new Set(conversations.map(({ root }) => root))
  const named = [...roots].flatMap((root) =>
    namedExactly(typed, roots.size === 1 ? conversations : conversations.filter((one) => one.root === root)),
  )
  if (named.length > 0) return named
  const from = resolve(realFolder(cwd), typed)
  const folders = new Set([from, realFolder(from)])
  return conversations.filter((one) => leadsTo(one, typed, folders))
}

/**
 * Whether the conversation's folder, document or `.session` is one of `folders`, or is at the path `typed` from the
 * workspace's root.
 */
function leadsTo({ path, folder }: Listed, typed: string, folders: ReadonlySet<string>): boolean {
  const below = isAbsolute(typed) ? undefined : normalize(typed).replace(/\/+$/, '')
  const isAt = (inside: string) =>
    folders.has(join(folder, inside)) || (below !== undefined && below === normalize(join(path, inside)))
  if (isAt('') || isAt(SESSION_FOLDER)) return true
  if (!typed.endsWith('.md')) return false
  const name = typed.slice(typed.lastIndexOf('/') + 1)
  return isAt(name) && isFileInside(folder, name)
}

function ambiguous(name: string, found: readonly Listed[]): CortextError {
  return new CortextError(
    'ambiguous',
    [
      `"${oneLine(name)}" means ${found.length} conversations:`,
      ...calledLines(found.slice(0, MAX_LISTED)),
      ...(found.length > MAX_LISTED ? [`  … and ${found.length - MAX_LISTED} more`] : []),
    ].join('\n'),
    { fix: LIST_ALL },
  )
}

function notFound(name: string, all: readonly Listed[]): CortextError {
  return new CortextError(
    'not-found',
    [nothingNamed(name), ...candidateLines(candidates(name, all), all)].join('\n'),
    {
      fix: LIST_ALL,
    },
  )
}

const MAX_LISTED = 10

function nothingNamed(name: string): string {
  return /^\d+$/.test(name.trim()) ? `no number ${name.trim()}` : `no conversation "${oneLine(name)}"`
}

/** Returns up to five conversations that the person may have meant. */
function candidates<T extends Listed>(name: string, all: readonly T[]): T[] {
  const { found, nearest } = match(name, all, 'title')
  return [...found, ...nearest].slice(0, 5)
}

/**
 * Returns lines for a person to choose from. They name the nearest conversations, or the newest if none is near, by
 * name, title and day.
 */
export function candidateLines<T extends Listed>(nearest: readonly T[], all: readonly T[]): string[] {
  if (nearest.length > 0) return ['the nearest:', ...calledLines(nearest)]
  return all.length === 0 ? [] : ['the newest:', ...calledLines(all.slice(0, 3))]
}

function calledLines(some: readonly Listed[]): string[] {
  return some.map((one) => `  ${called(one)}`)
}

/** `3 "API design" (2026-11-21)`: the name of a conversation, its title, and the day of its folder. */
export function called({ name, title, datedId }: Listed): string {
  return `${name} "${cutAtWord(oneLine(title), 100)}" (${oneLine(datedId.split('/')[0]!)})`
}
