import { CortextError } from '../../../errors.ts'
import { called, candidateLines, findConversations } from '../../../journeys/finding/find.ts'
import { isOfLoop, type Listed, listConversations, toResume } from '../../../journeys/finding/list.ts'
import { type Hidden, hiddenWords } from '../../../session/resumable-lines.ts'
import { oneLine } from '../../../text/line.ts'
import { paste } from '../../../text/paste.ts'
import type { Workspace } from '../../../workspace/open.ts'
import { choose } from '../../ask.ts'
import type { Chosen } from '../../picker/kept.ts'
import { note } from '../../print.ts'
import type { SessionNotes } from '../sessions-not-saved.ts'

/**
 * Chooses the conversation to resume: the last active one, the one that a query means, or the one that the person
 * picks.
 */
export async function pick(ws: Workspace, query: string, last: boolean): Promise<Chosen<Listed>> {
  const { conversations } = listConversations(ws)
  const { shown: resumable, hidden } = toResume(conversations)
  const choosing = (some: readonly Listed[]) =>
    choose(ws.environment, some, async (typed) => (await findConversations(ws, typed, some)).found, {
      fix: paste`cortext resume ${some[0]!.name}`,
    })
  if (last || query === '') {
    if (resumable[0] === undefined) throw await nothingHere(ws, hidden)
    if (last) return { one: lastOf(resumable) }
    if (hidden.size > 0) note(hiddenWords(hidden))
    return choosing(resumable)
  }
  const { found, nearest, isNamed } = await findConversations(ws, query, conversations)
  if (found.length > 1) return choosing(found)
  const [one] = found
  if (one === undefined) {
    const { lines, command, json } = await notesOn(ws, query)
    throw new CortextError(
      'not-found',
      [
        `no conversation matches "${oneLine(query)}"`,
        ...candidateLines(nearest, conversations),
        ...lines,
      ].join('\n'),
      { fix: (json.length > 0 && command) || 'cortext resume --list' },
    )
  }
  if (!isNamed) note(`"${oneLine(query)}" was understood as ${called(one)}.`)
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

/** Like `nothingResumable`. Names the clients' own sessions of this folder too, if there are some. */
async function nothingHere(ws: Workspace, hidden: Hidden): Promise<CortextError> {
  const error = nothingResumable(hidden)
  const { lines, command } = await notesOn(ws, '')
  if (command === undefined) return error
  return new CortextError(error.code, [error.message, ...lines].join('\n'), { fix: command })
}

/** Imported only here, because it loads all clients. */
async function notesOn(ws: Workspace, query: string): Promise<SessionNotes> {
  return (await import('../sessions-not-saved.ts')).sessionNotes(ws.environment, ws, query)
}

export function nothingResumable(hidden: Hidden): CortextError {
  if (hidden.size > 0)
    return new CortextError('not-found', `No resumable conversations exist. ${hiddenWords(hidden)}`, {
      fix: 'cortext list --all',
    })
  return new CortextError('not-found', 'No resumable conversations exist.', {
    fix: 'start one: /workspace.brainstorm <topic> in your AI client, or: cortext start brainstorm <topic>',
  })
}
