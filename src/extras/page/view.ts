import { CortextError } from '../../errors.ts'
import { isTalk } from '../../session/live-path.ts'
import type { Workspace } from '../../workspace/open.ts'
import { collect, type WantedPart } from './collect.ts'
import { conversationPage } from './html/conversation-page.ts'

export interface Viewed {
  page: string
  /** The parts that could not be shown, as sentences. */
  problems: string[]
  /** The number of messages that were added to the part, so that each of its calls has its result. */
  widened: number
}

/**
 * Makes the page of a conversation, or of a part of it. Throws what readConversation throws, `not-found` for a message
 * that is missing, and `usage` for a part without talk or one that ends before it begins.
 */
export function viewConversation(ws: Workspace, path: string, wanted: WantedPart = {}): Viewed {
  const { shown, range, problems } = collect(ws, path, wanted)
  const isPart = range.messages.length < shown.messages.length
  if (isPart && !range.messages.some(isTalk))
    throw new CortextError('usage', 'nothing to show: the range has no messages', {
      fix: 'cortext show <id> --messages',
    })
  // Images are read while the page is made, so the list of problems is complete only afterwards.
  return { page: conversationPage(shown), problems, widened: range.widened }
}
