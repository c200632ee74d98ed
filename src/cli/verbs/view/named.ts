import { CortextError } from '../../../errors.ts'
import { findConversations, findOne } from '../../../journeys/finding/find.ts'
import { type Listed, listConversations } from '../../../journeys/finding/list.ts'
import type { Workspace } from '../../../workspace/open.ts'
import { choose } from '../../ask.ts'

/**
 * The conversation to look at: the one that the words mean; without any the one that is being held, or the only one, or
 * the one that the person picks.
 */
export async function named(ws: Workspace, words: string): Promise<Listed> {
  if (words !== '') {
    const { found, clear } = await findConversations(ws, words)
    if (found.length < 2 || clear !== undefined || !ws.environment.interactive)
      return findOne(ws, words, 'view')
    return chosen(ws, found)
  }
  const { conversations } = listConversations(ws)
  const live = conversations.filter((one) => one.live)
  const [only, another] = live.length > 0 ? live : conversations
  if (only === undefined)
    throw new CortextError('not-found', 'there is no conversation to look at', {
      fix: 'start one: /workspace.brainstorm <topic> in your AI client, or: cortext import <client> --all',
    })
  return another === undefined ? only : chosen(ws, conversations)
}

async function chosen(ws: Workspace, among: Listed[]): Promise<Listed> {
  const find = async (typed: string) => (await findConversations(ws, typed, among)).found
  return (await choose(ws.environment, among, 'cortext view <id>', find, { starts: false })).one
}
