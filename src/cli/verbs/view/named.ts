import { CortextError } from '../../../errors.ts'
import { allToRead, findConversations } from '../../../journeys/finding/find.ts'
import { type Listed, listConversations } from '../../../journeys/finding/list.ts'
import type { Workspace } from '../../../workspace/open.ts'
import { choose } from '../../ask.ts'
import { which } from '../../which.ts'

/**
 * The conversation to look at: the one that the words mean; without any the one that is being held, or the only one, or
 * the one that the person picks.
 */
export async function named(ws: Workspace, words: string): Promise<Listed> {
  const { conversations } = listConversations(ws)
  if (words !== '') {
    const several = ws.environment.interactive ? allToRead(ws, words, conversations).found : []
    return several.length > 1 ? chosen(ws, several, conversations) : which(ws, words)
  }
  const live = conversations.filter((one) => one.live)
  const [only, another] = live.length > 0 ? live : conversations
  if (only === undefined)
    throw new CortextError('not-found', 'there is no conversation to look at', {
      fix: 'start one: /workspace.brainstorm <topic> in your AI client, or: cortext import <client> --all',
    })
  return another === undefined ? only : chosen(ws, conversations, conversations)
}

async function chosen(ws: Workspace, some: readonly Listed[], all: readonly Listed[]): Promise<Listed> {
  const find = async (typed: string) => (await findConversations(ws, typed, some)).found
  return (await choose(ws.environment, some, 'cortext view <id>', find, { starts: false, among: all })).one
}
