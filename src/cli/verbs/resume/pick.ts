import { CortextError } from '../../../errors.ts'
import { calledIn, candidateLines, findConversations } from '../../../journeys/finding/find.ts'
import { isOfLoop, type Listed, listConversations, toResume } from '../../../journeys/finding/list.ts'
import { loopsWords, olderWords } from '../../../session/resumable-lines.ts'
import { oneLine } from '../../../text/line.ts'
import type { Workspace } from '../../../workspace/open.ts'
import { choose } from '../../ask.ts'
import type { Chosen } from '../../picker/kept.ts'
import { note } from '../../print.ts'

/**
 * Chooses the conversation to resume: the last active one, the one that a query means, or the one that the person
 * picks.
 */
export async function pick(ws: Workspace, query: string, last: boolean): Promise<Chosen<Listed>> {
  const { conversations } = listConversations(ws)
  const { shown: resumable, older, loops, closed } = toResume(conversations)
  const choosing = (some: readonly Listed[]) =>
    choose(
      ws.environment,
      some,
      'cortext resume <number>',
      async (typed) => (await findConversations(ws, typed, some)).found,
      { among: conversations },
    )
  if (last || query === '') {
    if (resumable[0] === undefined) throw nothingResumable(closed)
    if (last) return { one: lastOf(resumable) }
    if (loops > 0) note(loopsWords(loops))
    if (older > 0) note(olderWords(older))
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
  if (!isNamed) note(`"${oneLine(query)}" was understood as ${calledIn(one, conversations)}.`)
  return { one }
}

/** The conversation that a person talked in last. Throws `not-found` if only agent loops talked. */
export function lastOf<T extends Listed>(resumable: readonly T[]): T {
  const one = resumable.find((candidate) => !isOfLoop(candidate))
  if (one !== undefined) return one
  throw new CortextError('not-found', 'the only conversations here are those of agent loops', {
    fix: 'choose one: cortext resume',
  })
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
