import { CortextError } from '../../errors.ts'
import { type Match, match } from '../../session/match.ts'
import { nameOf } from '../../session/names.ts'
import { cutAtWord, oneLine } from '../../text/line.ts'
import { paste } from '../../text/paste.ts'
import type { Workspace } from '../../workspace/open.ts'
import { type Listed, listConversations } from './list.ts'
import type { Searched } from './search.ts'

/** What a query means, as `match` says it; `clear` is the one that answers it much better than all others. */
export interface FoundConversations<T = Listed> extends Match<T> {
  clear?: T
}

/** Finds the conversations of a workspace that a query means (findAmong): among all, or among some. */
export function findConversations(
  ws: Workspace,
  query: string,
  conversations: readonly Listed[] = listConversations(ws).conversations,
): Promise<FoundConversations> {
  return findAmong(query, conversations, async () => {
    // Most queries name a title, and need none of it.
    const { searchConversations } = await import('./search.ts')
    return searchConversations(ws, query, { archived: true })
  })
}

/**
 * Finds conversations by id, date/id, number, words in title, id, summary and tags, then by near misses, and last by
 * what was said, best first. Then more than half of what was asked for has to be there, because a wrong conversation is
 * worse than none. When several match, the caller asks.
 */
export async function findAmong<T extends Listed>(
  query: string,
  conversations: readonly T[],
  search: () => Promise<Searched | undefined>,
): Promise<FoundConversations<T>> {
  const result = match(query, conversations)
  if (result.found.length > 0) return result
  const ranked = (await search())?.found ?? []
  const byFolder = new Map(conversations.map((one) => [one.folder, one]))
  const answers = ranked.flatMap(({ candidate: { root, path }, score, covered }) => {
    const one = byFolder.get(`${root}/${path}`)
    return one !== undefined && covered > LEAST_COVERED ? [{ one, score, covered }] : []
  })
  if (answers.length === 0) return result
  const found = answers.map(({ one }) => one)
  return isClear(answers) ? { found, nearest: [], clear: found[0]! } : { found, nearest: [] }
}

const LEAST_COVERED = 0.5

/** The first one holds all of the words and answers twice as well as the next. */
function isClear([first, next]: { score: number; covered: number }[]): boolean {
  return first !== undefined && first.covered > 0.85 && (next === undefined || first.score > 2 * next.score)
}

/**
 * Finds the one conversation that a query means, also where others answer it less well by far. Throws `not-found` with
 * the nearest, or `ambiguous` with the candidates, best first.
 */
export async function findOne(ws: Workspace, query: string, verb: string): Promise<Listed> {
  const { found, nearest, clear } = await findConversations(ws, query)
  if (found.length === 1) return found[0]!
  if (clear !== undefined) return clear
  const all = found.length > 0 ? found : nearest
  const names = all.slice(0, 10).map((one) => `  ${nameOf(one, all)}  ${cutAtWord(oneLine(one.title), 100)}`)
  if (found.length > 1)
    throw new CortextError(
      'ambiguous',
      `"${query}" means ${found.length} conversations:\n${names.join('\n')}`,
      {
        fix: paste`cortext ${verb} ${nameOf(all[0]!, all)}`,
      },
    )
  throw new CortextError(
    'not-found',
    `no conversation "${query}"${names.length > 0 ? `; the nearest:\n${names.join('\n')}` : ''}`,
    { fix: names.length > 0 ? paste`cortext ${verb} ${nameOf(all[0]!, all)}` : 'cortext resume --list' },
  )
}
