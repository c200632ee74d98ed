import { CortextError } from '../../../errors.ts'
import { findConversations } from '../../../journeys/finding/find.ts'
import { type Listed, listConversations, toResume } from '../../../journeys/finding/list.ts'
import { nameOf } from '../../../session/names.ts'
import { olderWords } from '../../../session/resumable-lines.ts'
import { cutAtWord, oneLine } from '../../../text/line.ts'
import { paste } from '../../../text/paste.ts'
import type { Workspace } from '../../../workspace/open.ts'
import { choose } from '../../ask.ts'
import type { Chosen } from '../../picker/kept.ts'
import { note } from '../../print.ts'

/** Chooses the conversation to resume: the last one, the one that a query means, or the one that the person picks. */
export async function pick(ws: Workspace, query: string, last: boolean): Promise<Chosen<Listed>> {
  const { conversations } = listConversations(ws)
  const { shown: resumable, older, closed } = toResume(conversations)
  if (last || query === '') {
    if (resumable[0] === undefined) throw nothingResumable(closed)
    if (last) return { one: resumable[0] }
    if (older > 0) note(olderWords(older))
    return choose(
      ws.environment,
      resumable,
      'cortext resume <id>',
      async (typed) => (await findConversations(ws, typed, resumable)).found,
    )
  }
  const { found, nearest } = await findConversations(ws, query)
  if (found.length === 1) return { one: found[0]! }
  if (found.length > 1)
    return choose(
      ws.environment,
      found,
      paste`cortext resume ${nameOf(found[0]!, found)}`,
      async (typed) => (await findConversations(ws, typed, found)).found,
    )
  const suggestions = nearest.map((one) => `  ${nameOf(one, nearest)}  ${cutAtWord(oneLine(one.title), 100)}`)
  throw new CortextError(
    'not-found',
    [
      `no conversation matches "${query}"`,
      ...(suggestions.length > 0 ? ['the nearest are:', ...suggestions] : []),
    ].join('\n'),
    {
      fix:
        nearest[0] === undefined
          ? 'cortext resume --list'
          : paste`cortext resume ${nameOf(nearest[0], nearest)}`,
    },
  )
}

export function nothingResumable(closed: number): CortextError {
  if (closed > 0)
    return new CortextError(
      'not-found',
      `No resumable conversations exist: ${closed} are completed or archived.`,
      { fix: 'cortext list --all' },
    )
  return new CortextError('not-found', 'No resumable conversations exist.', {
    fix: 'start one: /workspace.brainstorm <topic> in your AI client, or: cortext start brainstorm <topic>',
  })
}
