import { statSync } from 'node:fs'
import { CortextError } from '../errors.ts'
import { type EffectiveStatus, effectiveStatus } from '../session/lifecycle.ts'
import { type Match, match, nameOf } from '../session/match.ts'
import type { SessionFile } from '../session/schema.ts'
import { listLive } from '../store/bindings.ts'
import { type Entry, scanConversations } from '../store/scan.ts'
import type { Workspace } from './open.ts'
import { search } from './search.ts'

/** A conversation as lists show it. */
export interface Listed {
  id: string
  datedId: string
  path: string
  folder: string
  title: string
  type: string
  status: EffectiveStatus
  lastActive: Date
  summary: string
  tags: readonly string[]
  messages: number
  client: string
  archived: boolean
  /** Not touched for so long, or so far down, that lists leave it out unless asked (X-15). */
  old: boolean
  live: boolean
  session: SessionFile
}

export interface Listing {
  /** Newest first. */
  conversations: Listed[]
  /** Those that cannot be read, by path, with what is wrong. */
  broken: { path: string; code: string; message: string }[]
}

/** All conversations of the workspace, from metadata only: nothing is parsed, nothing written but the index. */
export function listConversations(ws: Workspace): Listing {
  const live = liveByConversation(ws)
  const conversations: Listed[] = []
  const broken: Listing['broken'] = []
  for (const entry of scanConversations(ws.root, ws.local)) {
    if (entry.problem !== undefined)
      broken.push({ path: entry.problem.path, code: entry.problem.code, message: entry.problem.message })
    if (entry.session !== undefined)
      conversations.push(listed(ws, entry, entry.session, live.get(entry.path)))
  }
  conversations.sort((a, b) => b.lastActive.getTime() - a.lastActive.getTime() || (a.path < b.path ? 1 : -1))
  return { conversations: markOld(ws, conversations), broken }
}

const DAY = 24 * 60 * 60_000

/** Old is derived, never stored: a day's work brings a conversation back. */
function markOld(ws: Workspace, conversations: Listed[]): Listed[] {
  const { archiveAfterDays, maxOpen } = ws.config.list
  const oldest = ws.place.now().getTime() - archiveAfterDays * DAY
  let open = 0
  return conversations.map((one) => {
    if (!isResumable(one) || one.live) return one
    open += 1
    const old = (archiveAfterDays > 0 && one.lastActive.getTime() < oldest) || (maxOpen > 0 && open > maxOpen)
    return old ? { ...one, old } : one
  })
}

/** What a person is offered to go on with: neither completed nor archived nor old. */
export function isResumable(one: Listed): boolean {
  return one.status.status !== 'completed' && !one.archived && !one.old
}

/**
 * Finds by id, date/id, number, words in title, id, summary and tags, near misses, and last the words that were
 * said. Several: the caller asks. Throws `not-found` with the nearest when there is none.
 */
export function findConversations(ws: Workspace, query: string): Match<Listed> {
  const { conversations } = listConversations(ws)
  const result = match(query, conversations)
  if (result.found.length > 0) return result
  const said = search(ws, query).map((hit) => hit.path)
  const found = conversations.filter((one) => said.includes(one.path))
  return found.length > 0 ? { found, nearest: [] } : result
}

/** The one conversation that a query means; throws `not-found` or `ambiguous`, naming candidates. */
export function findOne(ws: Workspace, query: string, verb: string): Listed {
  const { found, nearest } = findConversations(ws, query)
  if (found.length === 1) return found[0]!
  const all = found.length > 0 ? found : nearest
  const names = all.slice(0, 10).map((one) => `  ${nameOf(one, all)}  ${one.title}`)
  if (found.length > 1)
    throw new CortextError(
      'ambiguous',
      `"${query}" means ${found.length} conversations:\n${names.join('\n')}`,
      {
        fix: `cortext ${verb} ${nameOf(all[0]!, all)}`,
      },
    )
  throw new CortextError(
    'not-found',
    `no conversation "${query}"${names.length > 0 ? `; the nearest:\n${names.join('\n')}` : ''}`,
    { fix: names.length > 0 ? `cortext ${verb} ${nameOf(all[0]!, all)}` : 'cortext resume --list' },
  )
}

function listed(ws: Workspace, entry: Entry, session: SessionFile, liveAt: Date | undefined): Listed {
  const lastActive = later(new Date(session.last_active), liveAt)
  const parts = entry.path.split('/')
  return {
    id: session.conversation_id,
    datedId: parts.slice(-2).join('/'),
    path: entry.path,
    folder: entry.folder,
    title: session.title,
    type: session.conversation_type,
    status: effectiveStatus(session, {
      live: liveAt !== undefined,
      lastTurn: lastActive,
      now: ws.place.now(),
      idleMinutes: ws.config.autoPause.minutes,
    }),
    lastActive,
    summary: session.context_summary,
    tags: session.tags ?? [],
    messages: session.message_count,
    client: session.agent_config.client,
    archived: session.archived_at !== undefined,
    old: false,
    live: liveAt !== undefined,
    session,
  }
}

/** Conversations with a live binding on this machine, and when something was last said there. */
function liveByConversation(ws: Workspace): Map<string, Date> {
  const result = new Map<string, Date>()
  for (const { binding, stretch } of listLive(ws.local)) {
    const at = statSync(binding.transcript, { throwIfNoEntry: false })?.mtime ?? new Date(stretch.started_at)
    result.set(stretch.conversation, later(at, result.get(stretch.conversation)))
  }
  return result
}

function later(a: Date, b: Date | undefined): Date {
  return b !== undefined && b > a ? b : a
}
