import { localDate } from '../../conversation/create.ts'
import { asSlashCommand } from '../../session/control-turns.ts'
import { textOf } from '../../session/live-path.ts'
import { recoveredSession } from '../../session/recovered.ts'
import type { Message } from '../../session/schema.ts'
import { listBindings } from '../../store/machine/list-bindings.ts'
import type { Workspace } from '../../workspace/open.ts'
import { slugOf } from '../../workspace/slug.ts'
import { listConversations } from '../finding/list.ts'
import type { KnownConversation } from './named-sessions.ts'

/** A conversation without a message. If its state was lost before its first stop, only its document is left. */
export interface EmptyConversation extends KnownConversation {
  isDocument?: true
}

/**
 * Returns the conversations that have no message, no key and no native session, and that no binding names. `documents`
 * are the folders that have a document only, as `listConversations` lists them.
 */
export function emptyConversations(
  ws: Workspace,
  conversations: readonly KnownConversation[],
  documents: readonly string[] = listConversations(ws).documents,
): EmptyConversation[] {
  const empty: EmptyConversation[] = conversations.filter(
    ({ native, messages, key }) => native.length === 0 && messages === 0 && key === undefined,
  )
  for (const path of documents) {
    const { conversation_type: type, created_at } = recoveredSession(path, ws.types.keys())
    const created = new Date(created_at)
    empty.push({ path, type, created, lastActive: created, native: [], messages: 0, isDocument: true })
  }
  if (empty.length === 0) return []
  const bound = new Set(
    listBindings(ws.local, ws).flatMap(({ segments }) => segments.map((one) => one.conversation)),
  )
  return empty.filter(({ path }) => !bound.has(path))
}

/** Finds the conversation that a turn has opened, by the command and the time of the turn's prompt. */
export function openedAt(
  [first]: readonly Message[],
  empty: readonly EmptyConversation[],
): string | undefined {
  const command = first === undefined ? '' : asSlashCommand(textOf(first))
  const at = new Date(first?.timestamp ?? '')
  // The path of a document's folder contains the day and the title.
  const title = slugOf(command.replace(/^\S+/, '').trim())
  const isNamed = (path: string, type: string) => {
    const [day, id] = path.split('/').slice(-2)
    return day === localDate(at) && id?.replace(/^\d+-/, '') === `${type}-${title}`
  }
  const distance = ({ created, isDocument, path, type }: EmptyConversation) => {
    if (isDocument !== true) return Math.abs(at.getTime() - created.getTime())
    return isNamed(path, type) ? 0 : Number.POSITIVE_INFINITY
  }
  return empty
    .filter((one) => command.split(/\s/, 1)[0] === `/workspace.${one.type}` && distance(one) < SAME_MOMENT_MS)
    .sort((a, b) => distance(a) - distance(b))[0]?.path
}

/**
 * The most time between a prompt and the opening of its conversation. A hook opens the conversation before the client
 * writes the prompt; an agent may open it minutes after the prompt.
 */
const SAME_MOMENT_MS = 10 * 60_000
