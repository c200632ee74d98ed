import type { Client } from '../../clients/contract/client.ts'
import { readerOf } from '../../clients/index.ts'
import type { Conversation } from '../../conversation/read.ts'
import { safeLine } from '../../session/resume-block.ts'
import type { Message } from '../../session/schema.ts'
import { isDeletedElsewhere } from '../../store/machine/place.ts'
import { paste } from '../../text/paste.ts'
import type { Workspace } from '../../workspace/open.ts'
import { listConversations } from '../finding/list.ts'
import { notSaved } from '../not-saved/index.ts'
import { otherWriters } from '../recording/other-writers.ts'
import { setUpClients } from '../setup/set-up-clients.ts'
import { type Elsewhere, elsewhereNotice } from './elsewhere.ts'

export interface NoticeFacts {
  conversation: Conversation
  client: Client
  nativeId: string
  /** The sentence about changed instructions. */
  change?: string | undefined
  /** The authors, in words. Undefined if the record names nobody but this person. */
  whose: string | undefined
  /** How many attachments this machine lacks, such as `2 images of this conversation`. Undefined when it has all. */
  away: string | undefined
  /** Where it was held last, if not here. */
  elsewhere: Elsewhere | undefined
  /** Why the native session is missing here. Undefined if it is here. */
  gone: string | undefined
  /** The MCP tools that the conversation used and the client lacks. */
  missing: readonly string[]
}

/** Returns what a person should know before the client starts, as one notice for each fact. */
export async function noticesOf(ws: Workspace, facts: NoticeFacts): Promise<string[]> {
  const { conversation, client, nativeId, change, whose, missing, elsewhere } = facts
  return [
    ...(change === undefined ? [] : [change]),
    ...(whose === undefined ? [] : [`This conversation was ${whose}.`]),
    ...notHere(facts),
    ...(elsewhere === undefined ? [] : [elsewhereNotice(elsewhere)]),
    ...notSent(ws, conversation),
    ...missing.map((tool) => `Missing here: the tool ${safeLine(tool)}, which this conversation used.`),
    ...otherWriters(ws, conversation.path, nativeId),
    ...notSetUp(ws, client),
    ...(await notSavedNotices(ws, conversation)),
  ]
}

/** Warns of a conversation that no sync sends, although it does not say so itself. */
function notSent({ local }: Workspace, { path, session }: Conversation): string[] {
  if (!isDeletedElsewhere(local, session.origin)) return []
  return [
    `It was deleted on another machine, so no sync sends it. To keep it for all: ${paste`cortext fork ${path}`}`,
  ]
}

/** Writes one line about what is not on this machine: the native session, and attachments. */
function notHere({ gone, away }: NoticeFacts): string[] {
  const lines = [
    ...(gone === undefined ? [] : [`${gone}, so the conversation goes on in a new one.`]),
    ...(away === undefined ? [] : [`Not on this machine: ${away}.`]),
  ]
  return lines.length === 0 ? [] : [lines.join(' ')]
}

/**
 * Warns of talk in native sessions that the record lacks: talk after a stop, or talk that was lost with the local
 * folder.
 */
async function notSavedNotices(ws: Workspace, conversation: Conversation): Promise<string[]> {
  const { path } = conversation
  const found = await notSaved(ws, listConversations(ws).conversations, { of: conversation })
  return found.flatMap((one) => {
    const parts = one.parts.filter(({ into, why }) => into === path && why !== 'before')
    if (parts.length === 0) return []
    const { name } = readerOf(one.client)
    const count = parts.reduce((sum, { messages }) => sum + messages, 0)
    return [
      `Its session in ${name} has ${count} message${count === 1 ? '' : 's'} that the record lacks. To import them first: ${one.command}`,
    ]
  })
}

/** Warns if the client is not set up here. A conversation in such a client is saved only when the client has ended. */
function notSetUp(ws: Workspace, client: Client): string[] {
  if (setUpClients(ws).includes(client)) return []
  return [
    `${client.name} is not set up here: what is said in it is saved when it ends, and it has no /workspace commands. Set it up: cortext init --in ${client.id}`,
  ]
}

/** Returns the MCP tools that the conversation called and for which the client no longer has the server. */
export function missingTools(ws: Workspace, messages: readonly Message[], client: string): string[] {
  const called = new Set(
    messages
      .flatMap((message) => message.tool_calls ?? [])
      .flatMap(({ name }) => (name.startsWith('mcp__') ? [name] : [])),
  )
  if (called.size === 0) return []
  const servers = readerOf(client).tools.mcpServers?.(ws.environment, ws.root) ?? []
  return [...called].filter(
    (tool) => !servers.some((server) => tool.startsWith(`mcp__${serverName(server)}__`)),
  )
}

/** Returns a server's name in the form that clients use inside the names of its tools. */
function serverName(server: string): string {
  return server.replace(/[^A-Za-z0-9_-]/g, '_')
}
