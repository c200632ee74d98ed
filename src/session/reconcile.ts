import { isTalk } from './live-path.ts'
import { orderMessages, richer } from './message-order.ts'
import type { AgentSession, Message, SessionFile } from './schema.ts'
import { DEFAULT_TITLE, titleFrom } from './title.ts'

/** One segment of a native session, read and redacted. Publishing brings it into the record. */
export interface ReadSegment {
  client: string
  nativeId: string
  startedAt: string
  messages: Message[]
  model?: string | undefined
  mcpTools: string[]
  /** Why there may be more tools than these; absent when the list is complete. */
  toolsUnknown?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

export interface SavePlan {
  /** The lines to append, in order; empty when the record is up to date. */
  append: Message[]
  session: SessionFile
  /** The whole conversation in reading order, as it will be after the append. */
  messages: Message[]
}

/**
 * Computes which lines to append so that the record holds all that was said, and the metadata that follows from them.
 * Reconciling twice changes nothing, and earlier lines are never touched. Pruned lines (`pruned`, by id) do not come
 * back. `turn` holds messages that an agent loop appended itself.
 */
export function reconcile(
  session: SessionFile,
  lines: readonly Message[],
  segments: readonly ReadSegment[],
  pruned: Pick<ReadonlySet<string>, 'has'> = new Set(),
  turn: readonly Message[] = [],
): SavePlan {
  const said = [...turn, ...segments.flatMap((segment) => segment.messages)]
  const append = newLines(
    lines,
    said.filter(({ id }) => !pruned.has(id)),
  )
  const messages = orderMessages([...lines, ...append])
  // Segments come session by session. The lines that are written together are put in the order in which they were said.
  if (append.length > 1) {
    const places = new Map(messages.map(({ id }, place) => [id, place]))
    append.sort((a, b) => places.get(a.id)! - places.get(b.id)!)
  }
  return { append, session: describe(session, messages, segments), messages }
}

/** The incoming messages that the file lacks, or holds in a poorer form (an answer that was still growing). */
export function newLines(lines: readonly Message[], incoming: readonly Message[]): Message[] {
  if (incoming.length === 0) return []
  const held = new Map<string, Message>()
  for (const line of lines) {
    const before = held.get(line.id)
    held.set(line.id, before === undefined ? line : richer(before, line))
  }
  const append: Message[] = []
  for (const message of incoming) {
    const before = held.get(message.id)
    if (before !== undefined && richer(before, message) === before) continue
    held.set(message.id, message)
    append.push(message)
  }
  return append
}

function describe(session: SessionFile, messages: Message[], segments: readonly ReadSegment[]): SessionFile {
  const talk = messages.filter(isTalk)
  const agentSessions = mergeAgentSessions(session.agent_sessions, segments)
  const title = session.title === DEFAULT_TITLE || session.title === '' ? titleFrom(messages) : session.title
  return {
    ...session,
    title: title ?? session.title,
    last_active: latest([session.last_active, ...talk.map((message) => message.timestamp)]),
    message_count: talk.length,
    agent_config: knownFacts(session, segments, agentSessions),
    agent_sessions: agentSessions,
  }
}

/** A fact that is known now replaces `unknown`, and the reason for that is removed. */
function knownFacts(
  session: SessionFile,
  segments: readonly ReadSegment[],
  agentSessions: readonly AgentSession[],
): SessionFile['agent_config'] {
  const { unknown: reasons = {}, ...config } = session.agent_config
  const model = agentSessions.findLast((one) => one.model !== undefined)?.model
  const tools = [...new Set([...config.tools, ...segments.flatMap((one) => one.mcpTools)])]
  const { model: modelUnknown, tools: toolsUnknown, ...others } = reasons
  const left = Object.entries({
    ...others,
    ...(model === undefined ? { model: modelUnknown } : {}),
    tools: segments.length > 0 ? segments.map((one) => one.toolsUnknown).find(Boolean) : toolsUnknown,
  }).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return {
    ...config,
    client: agentSessions.at(-1)?.client ?? config.client,
    model: model ?? config.model,
    tools,
    ...(left.length > 0 ? { unknown: Object.fromEntries(left) } : {}),
  }
}

/** Keeps one entry for each segment in which something was said. The one that was active last is at the end. */
function mergeAgentSessions(before: AgentSession[], segments: readonly ReadSegment[]): AgentSession[] {
  const result = [...before]
  for (const segment of segments) {
    const entry = agentSession(segment)
    if (entry === undefined) continue
    const place = result.findIndex(
      (one) => one.client === entry.client && one.native_id === entry.native_id && one.from === entry.from,
    )
    if (place === -1) result.push(entry)
    else result[place] = { ...result[place], ...entry }
  }
  return result.sort(
    (a, b) =>
      compareTimes(a.last_active, b.last_active) ||
      Number(a.native_id > b.native_id) - Number(a.native_id < b.native_id),
  )
}

function agentSession(segment: ReadSegment): AgentSession | undefined {
  const talk = segment.messages.filter(isTalk)
  if (talk.length === 0) return undefined
  return {
    client: segment.client,
    native_id: segment.nativeId,
    ...(segment.from === undefined ? {} : { from: segment.from }),
    ...(segment.to === undefined ? {} : { to: segment.to }),
    ...(segment.model === undefined ? {} : { model: segment.model }),
    started_at: segment.startedAt,
    last_active: latest(talk.map((message) => message.timestamp)),
    message_count: new Set(talk.map((message) => message.id)).size,
  }
}

function latest(times: string[]): string {
  return times.reduce((a, b) => (compareTimes(a, b) < 0 ? b : a))
}

/** A text that is not a time comes before every time. */
function compareTimes(a: string, b: string): number {
  const [timeA, timeB] = [Date.parse(a), Date.parse(b)]
  if (Number.isNaN(timeA) || Number.isNaN(timeB))
    return Number(Number.isNaN(timeB)) - Number(Number.isNaN(timeA))
  return timeA - timeB
}
