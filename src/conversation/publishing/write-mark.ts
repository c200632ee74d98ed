import { isTalk } from '../../session/live-path.ts'
import { compareTimes, type KnownFacts, saidIn } from '../../session/reconcile.ts'
import type { Message } from '../../session/schema.ts'
import { type PublishedSegment, type ReadMark, writePublished } from '../../store/machine/published.ts'
import { publishedStamp } from '../../store/record/index.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { Conversation } from '../read.ts'
import { programStamp } from '../read-mark.ts'
import { type BoundSegment, hasEnded } from '../segments/segment-content.ts'
import { tokensOf } from '../tokens.ts'

/**
 * Writes and returns the mark of a conversation that was read and is published. Writes no mark if there are problems:
 * then the next publishing reads everything.
 */
export function writeMark(
  ws: Workspace,
  { path, folder, messages, plan, since, record, pruned, segments, problems }: Conversation,
  { tokens, asked }: { tokens: number; asked: string },
): ReadMark | undefined {
  if (problems.length > 0) return undefined
  const lines = [...record.lines, ...plan.append]
  const newIds = new Set([...pruned.keys(), ...lines.map(({ id }) => id)])
  // The list of the mark has these already, and the new ids are added to it.
  if (since !== undefined) for (const { id } of record.lines) newIds.delete(id)
  // Messages that may still grow are not counted here: they are counted when they are read again.
  const open = segments.flatMap(({ content }) => content.nextReadPoint.open)
  return writePublished(
    ws.local,
    path,
    {
      by: programStamp(ws),
      record: publishedStamp(folder),
      messages: plan.session.message_count - open.filter(isTalk).length,
      tokens: tokens - tokensOf(open),
      newest: latestTime(messages, since?.newest),
      asked,
      ...((since?.isOneSession ?? true) && areOneSession(lines, segments) && { isOneSession: true as const }),
      segments: segments.map(publishedSegment),
    },
    newIds,
    since,
  )
}

/** Returns the mark of a segment after everything that was read of it is published. */
function publishedSegment({ binding, segment, content }: BoundSegment): PublishedSegment {
  const { client, native_id } = binding
  const { journal, from, started_at } = segment
  const { read, end, nextReadPoint, sides } = content
  const { model, mcpTools, toolsUnknown, from: first, to } = read
  const { said, lastActive } = saidIn(read)
  const facts: KnownFacts = {
    said: said - saidIn({ messages: nextReadPoint.open }).said,
    lastActive,
    model,
    mcpTools,
    toolsUnknown,
    from: first,
    to,
  }
  const ended = hasEnded(segment)
  return { client, native_id, journal, from, started_at, end, ended, ...nextReadPoint, sides, facts }
}

/**
 * Whether all lines are of one native session and have a sequence number in it, and no other session is recorded into the
 * conversation: it may not have said anything yet.
 */
function areOneSession(lines: readonly Message[], segments: readonly BoundSegment[]): boolean {
  const session = lines[0]?.native_session
  const isOne = new Set(segments.map(({ binding }) => binding.native_id)).size <= 1
  return isOne && lines.every(({ native_session, seq }) => native_session === session && seq !== undefined)
}

function latestTime(messages: readonly Message[], before = ''): string {
  // Most events do not count, because they may have the time at which cortext noted them. Events that clear the
  // conversation count.
  return messages
    .filter(({ event, anew }) => event === undefined || anew === true)
    .reduce((newest, { timestamp }) => (compareTimes(newest, timestamp) < 0 ? timestamp : newest), before)
}
