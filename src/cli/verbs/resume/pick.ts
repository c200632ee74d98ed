import { CortextError } from '../../../errors.ts'
import { calledIn, candidateLines, findConversations } from '../../../journeys/finding/find.ts'
import { isResumable, type Listed, listConversations } from '../../../journeys/finding/list.ts'
import { oneLine } from '../../../text/line.ts'
import type { Workspace } from '../../../workspace/open.ts'
import { choose } from '../../ask.ts'
import type { Chosen } from '../../picker/kept.ts'
import { note } from '../../print.ts'

/** Chooses the conversation to resume: the last one, the one that a query means, or the one that the person picks. */
export async function pick(ws: Workspace, query: string, last: boolean): Promise<Chosen<Listed>> {
  const { conversations } = listConversations(ws)
  const resumable = conversations.filter(isResumable)
  if (last) {
    if (resumable[0] === undefined) throw nothingResumable()
    return { one: resumable[0] }
  }
  const choosing = (some: readonly Listed[]) =>
    choose(
      ws.environment,
      some,
      'cortext resume <number>',
      async (typed) => (await findConversations(ws, typed, some)).found,
      { among: conversations },
    )
  if (query === '') {
    if (resumable.length === 0) throw nothingResumable()
    return choosing(resumable)
  }
  const { found, nearest, isNamed } = await findConversations(ws, query, conversations)
  if (found.length > 1) return choosing(found)
  const [one] = found
  if (one === undefined)
    throw new CortextError(
      'not-found',
      [`no conversation matches "${oneLine(query)}"`, ...candidateLines(nearest, conversations)].join('\n'),
      { fix: 'cortext resume --list' },
    )
  if (!isNamed) note(`"${oneLine(query)}" is taken for ${calledIn(one, conversations)}.`)
  return { one }
}

export function nothingResumable(): CortextError {
  return new CortextError('not-found', 'No resumable conversations exist.', {
    fix: 'start one: /workspace.brainstorm <topic> in your AI client, or: cortext start brainstorm <topic>',
  })
}
