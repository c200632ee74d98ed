import { CortextError } from '../../errors.ts'
import { type Match, match } from '../../session/match.ts'
import { nameOf } from '../../session/names.ts'
import { cutAtWord, oneLine } from '../../text/line.ts'
import { paste } from '../../text/paste.ts'
import type { Workspace } from '../../workspace/open.ts'
import { type Listed, listConversations } from './list.ts'

/**
 * Finds conversations by id, date/id, number, words in title, id, summary and tags, then by near misses, and last by
 * the words that were said. When several match, the caller asks. Throws `not-found`, with the nearest, when none
 * matches.
 */
export async function findConversations(ws: Workspace, query: string): Promise<Match<Listed>> {
  const { conversations } = listConversations(ws)
  const result = match(query, conversations)
  if (result.found.length > 0) return result
  const { search } = await import('./search.ts')
  const said = (await search(ws, query)).map((hit) => hit.path)
  const found = conversations.filter((one) => said.includes(one.path))
  return found.length > 0 ? { found, nearest: [] } : result
}

/** Finds the one conversation that a query means. Throws `not-found`, or `ambiguous` naming the candidates. */
export async function findOne(ws: Workspace, query: string, verb: string): Promise<Listed> {
  const { found, nearest } = await findConversations(ws, query)
  if (found.length === 1) return found[0]!
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
