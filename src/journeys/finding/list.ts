import { statSync } from 'node:fs'
import { type IndexEntry, indexEntryOf } from '../../session/index-entry.ts'
import { type EffectiveStatus, effectiveStatus } from '../../session/lifecycle.ts'
import { recoveredSession } from '../../session/recovered.ts'
import { listLive } from '../../store/machine/list-bindings.ts'
import { readMetadataBackup } from '../../store/machine/metadata-backup.ts'
import { type Entry, scanConversations } from '../../store/scan.ts'
import { oneLine } from '../../text/line.ts'
import type { Workspace } from '../../workspace/open.ts'

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
  /** Of a conversation that a program of its own holds. */
  key?: string
  messages: number
  client: string
  archived: boolean
  /** Not touched for so long, or so far down, that lists leave it out unless asked. */
  old: boolean
  live: boolean
  /** The native sessions it was held in, in their order. */
  native: IndexEntry['native']
}

export interface Listing {
  /** Newest first. */
  conversations: Listed[]
  /** Those that cannot be read, by path, with what is wrong. */
  broken: { path: string; code: string; message: string }[]
}

/** All conversations of the workspace, from metadata only: no message is read, nothing is written but the index. */
export function listConversations(ws: Workspace): Listing {
  const live = liveByConversation(ws)
  const conversations: Listed[] = []
  const broken: Listing['broken'] = []
  for (const entry of scanConversations(ws.root, ws.local, ws)) {
    if (entry.problem !== undefined)
      broken.push({ path: entry.problem.path, code: entry.problem.code, message: entry.problem.message })
    const session = entry.session ?? knownElsewhere(ws, entry.path)
    conversations.push(listed(ws, entry, session, live.get(entry.path)))
  }
  conversations.sort((a, b) => b.lastActive.getTime() - a.lastActive.getTime() || (a.path < b.path ? 1 : -1))
  return { conversations: markOld(ws, conversations), broken }
}

const DAY = 24 * 60 * 60_000

/** Old is derived, never stored: a day's work brings a conversation back. */
function markOld(ws: Workspace, conversations: Listed[]): Listed[] {
  const { archiveAfterDays, maxOpen } = ws.config.list
  const oldest = ws.environment.now().getTime() - archiveAfterDays * DAY
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

/** Of one whose session.json cannot be read. */
function knownElsewhere(ws: Workspace, path: string): IndexEntry {
  return indexEntryOf(readMetadataBackup(ws.local, path)?.session ?? recoveredSession(path))
}

function listed(ws: Workspace, entry: Entry, session: IndexEntry, liveAt: Date | undefined): Listed {
  const lastActive = later(new Date(session.last_active), liveAt)
  const parts = entry.path.split('/')
  return {
    // Written by hand they may hold anything; nobody means more than one line.
    id: oneLine(session.conversation_id),
    datedId: parts.slice(-2).join('/'),
    path: entry.path,
    folder: entry.folder,
    title: session.title,
    type: oneLine(session.conversation_type),
    status: effectiveStatus(session, {
      live: liveAt !== undefined,
      // Metadata says when something was last said or done; of a live one only the former counts.
      lastTurn: liveAt ?? lastActive,
      now: ws.environment.now(),
      idleMinutes: ws.config.autoPause.minutes,
    }),
    lastActive,
    summary: session.context_summary,
    tags: session.tags ?? [],
    ...(session.key === undefined ? {} : { key: session.key }),
    messages: session.message_count,
    client: session.client,
    archived: session.archived_at !== undefined,
    old: false,
    live: liveAt !== undefined,
    native: session.native,
  }
}

/** Conversations with a live binding on this machine, and when something was last said there. */
function liveByConversation(ws: Workspace): Map<string, Date> {
  const result = new Map<string, Date>()
  for (const { binding, segment } of listLive(ws.local, ws)) {
    const at = statSync(binding.transcript, { throwIfNoEntry: false })?.mtime ?? new Date(segment.started_at)
    result.set(segment.conversation, later(at, result.get(segment.conversation)))
  }
  return result
}

function later(a: Date, b: Date | undefined): Date {
  return b !== undefined && b > a ? b : a
}
