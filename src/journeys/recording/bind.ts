import { dirname } from 'node:path'
import { messagesIn } from '../../conversation/segments/messages-in.ts'
import { extendToTurnEnd } from '../../conversation/segments/running-turn.ts'
import { afterResume } from '../../session/control-turns.ts'
import { ensureLocalFolder, generationPath, journalPath } from '../../store/layout.ts'
import {
  type Binding,
  beginPending,
  closeSegment,
  liveSegment,
  openSegment,
  readBinding,
  type Segment,
  updateBinding,
} from '../../store/machine/binding.ts'
import { readJournalPart } from '../../store/machine/journal/journal.ts'
import type { Workspace } from '../../workspace/open.ts'
import { branchOf } from '../../workspace/repository.ts'
import type { Transcript } from '../not-saved/named-sessions.ts'
import type { CurrentSession } from './current-session.ts'

export interface NewSegment {
  conversation: string
  how: Segment['how']
  /** The offset in the journal where the conversation's part begins. */
  from: number
  command?: string
  /** A resume made this segment, and its first turn has not begun. The running turn does not belong to the segment. */
  pending?: boolean
  /** The conversation was cleared in the client and continues in this session. */
  cleared?: boolean
}

/**
 * Binds a native session to a conversation, from the offset `what.from` on. A live segment ends at the offset `before`,
 * in the same write, so that the recording has no gap. If the last segment has ended but may grow, that segment gets
 * the messages before `what.from`. Throws `locked`, and a RangeError when a segment is still live and no `before` is
 * given.
 */
export function bind(
  ws: Workspace,
  current: Pick<CurrentSession, 'client' | 'nativeId' | 'transcript' | 'journal' | 'process'>,
  what: NewSegment,
  before?: number,
): void {
  const branch = branchOf(ws.root)
  const segment: Segment = {
    conversation: what.conversation,
    root: ws.root,
    ...(branch === undefined ? {} : { branch }),
    journal: current.journal,
    from: what.from,
    how: what.how,
    ...(what.pending === true ? { pending: true } : {}),
    ...(what.cleared === true ? { cleared: true } : {}),
    ...(what.command === undefined ? {} : { command: what.command }),
    // If the client runs no hooks, only its process shows that the client has ended.
    ...(current.process === undefined ? {} : { process: current.process }),
    started_at: ws.environment.now().toISOString(),
  }
  // The client may have no folder for journals here yet, and hooks make no folders.
  ensureLocalFolder(ws.local, dirname(journalPath(ws.local, current.client, current.nativeId)))
  const end =
    before === undefined ? undefined : { to: before, by: 'switch' as const, at: ws.environment.now() }
  updateBinding(ws.local, current.client, current.nativeId, (stored) => {
    const binding = stored ?? emptyBinding(ws, current)
    const ended = end === undefined ? binding : closeSegment(binding, end)
    return openSegment(
      extendToTurnEnd(ws, ended, { generation: segment.journal, size: segment.from }),
      segment,
    )
  })
}

/**
 * Ends the live segment of a native session at the offset `to` of its journal. If `conversation` is given, ends only a
 * segment of that conversation. Throws `locked`.
 */
export function unbind(
  ws: Workspace,
  native: { client: string; nativeId: string },
  { conversation, ...end }: { to: number; by: NonNullable<Segment['ended_by']>; conversation?: string },
): void {
  updateBinding(ws.local, native.client, native.nativeId, (binding) => {
    if (binding === undefined) return undefined
    const other = conversation !== undefined && liveSegment(binding)?.conversation !== conversation
    return other ? binding : closeSegment(binding, { ...end, at: ws.environment.now() })
  })
}

/** Marks the last segment of a session as stopped, so that the segment does not grow any more. Throws `locked`. */
export function stayStopped(ws: Workspace, native: { client: string; nativeId: string }): void {
  changeLast(ws, native, (last) => ({ ...last, ended_by: 'stop' }))
}

/** Sets or removes `notified` in the last segment of a session. Throws `locked`. */
export function noteNotified(
  ws: Workspace,
  native: { client: string; nativeId: string },
  notified: Segment['notified'] | undefined,
): void {
  changeLast(ws, native, ({ notified: _, ...last }) =>
    notified === undefined ? last : { ...last, notified },
  )
}

/** Changes the last segment of a session, if it has one. Throws `locked`. */
export function changeLast(
  ws: Pick<Workspace, 'local'>,
  { client, nativeId }: { client: string; nativeId: string },
  change: (last: Segment) => Segment,
): void {
  updateBinding(ws.local, client, nativeId, (stored) => {
    const last = stored?.segments.at(-1)
    return stored && last && { ...stored, segments: [...stored.segments.slice(0, -1), change(last)] }
  })
}

/**
 * Begins the pending segment of a native session at an offset of its journal. If hooks have failed, there may be turns
 * between the resume and this offset. These turns stay in the conversation. Throws `locked` and `unreadable`.
 */
export function beginResumed(
  ws: Workspace,
  { client, nativeId }: { client: string; nativeId: string },
  offset: number,
): void {
  const binding = readBinding(ws.local, client, nativeId)
  const live = binding === undefined ? undefined : liveSegment(binding)
  if (live?.pending !== true) return
  // Only the part since the resume is read, because the whole transcript may be long.
  const bytes = readJournalPart(generationPath(ws.local, client, live.journal), live.from, offset)
  const hasTurns = afterResume(messagesIn({ client, nativeId }, bytes)).length > 0
  updateBinding(ws.local, client, nativeId, (stored) => stored && beginPending(stored, offset, hasTurns))
}

/**
 * Binds a part of a native session to a conversation, as an ended segment. If the segment of an earlier import reaches
 * the part, extends that segment instead, because a border between two segments could divide a message. A live segment
 * stays as it is, and stays last.
 */
export function bindPart(
  ws: Workspace,
  session: Transcript,
  journal: string,
  path: string,
  { from, to }: { from: number; to: number },
): void {
  updateBinding(ws.local, session.client, session.nativeId, (stored) => {
    const binding = stored ?? emptyBinding(ws, session)
    // A segment that follows a rewritten transcript leaves out what was not its conversation's before.
    const containsPart = (one: Segment) =>
      one.journal === journal && one.restarted !== true && one.from <= from && (one.to ?? to) >= to
    if (binding.segments.some((one) => one.conversation === path && containsPart(one))) return binding
    const earlier = binding.segments.findLast(
      (one) => one.how === 'import' && one.conversation === path && one.journal === journal,
    )
    if (earlier?.to !== undefined && earlier.from <= from && earlier.to >= from) {
      const longer = { ...earlier, to: Math.max(to, earlier.to) }
      return { ...binding, segments: binding.segments.map((one) => (one === earlier ? longer : one)) }
    }
    const at = ws.environment.now().toISOString()
    const taken = { conversation: path, journal, from, to, how: 'import' as const }
    return inOrder(binding, { ...taken, started_at: at, ended_at: at, ended_by: 'stop' })
  })
}

/** The binding of a session that has none yet. */
export function emptyBinding({ root }: Workspace, { client, nativeId, transcript }: Transcript): Binding {
  return { client, native_id: nativeId, transcript, root, segments: [] }
}

/** Inserts a segment in the order of the session, but before a live segment, which may be of another conversation. */
function inOrder(binding: Binding, ended: Segment): Binding {
  const { segments } = binding
  const next = segments.findIndex(
    (one) => one.journal === ended.journal && (one.to === undefined || one.from >= ended.to!),
  )
  const live = liveSegment(binding) === undefined ? segments.length : segments.length - 1
  const at = next === -1 ? live : Math.min(next, live)
  return { ...binding, segments: [...segments.slice(0, at), ended, ...segments.slice(at)] }
}
