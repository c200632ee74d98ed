import { isTalk } from './live-path.ts'
import { orderMessages, richer } from './message-order.ts'
import type { AgentSession, Message, SessionFile } from './schema.ts'
import { DEFAULT_TITLE } from './schema.ts'
import { titleFrom } from './title.ts'

/** One segment of a native session, read and redacted. Publishing brings it into the record. */
export interface ReadSegment {
  client: string
  nativeId: string
  startedAt: string
  messages: Message[]
  model?: string | undefined
  mcpTools: string[]
  /** Why the agent may have had more tools than `mcpTools`; absent when that list is complete. */
  toolsUnknown?: string | undefined
  from?: string | undefined
  to?: string | undefined
  /** The talk before these messages, when only the end of the segment was read. */
  before?: Pick<KnownFacts, 'said' | 'lastActive'> | undefined
}

/** Facts about a segment that are known when only its end is read. */
export interface KnownFacts extends Pick<ReadSegment, 'model' | 'mcpTools' | 'toolsUnknown' | 'from' | 'to'> {
  /** How many messages were said in the part that is not read again. */
  said: number
  /** When the last of these messages was said. */
  lastActive?: string | undefined
}

export interface SavePlan {
  /** The lines to append, in order; empty when the record is up to date. */
  append: Message[]
  session: SessionFile
  /** The lines and those to append, in reading order. */
  messages: Message[]
}

/**
 * Computes which lines to append so that the record contains all that was said, and the resulting session.json.
 * Reconciling a second time changes nothing, and earlier lines are never touched. Pruned lines (`pruned`, by id) do not
 * come back. `beyond` contains messages that no session has, such as those of an agent loop. `said`: how many messages
 * people and agents said before `lines`, if these are only the end of the record.
 */
export function reconcile(
  session: SessionFile,
  lines: readonly Message[],
  segments: readonly ReadSegment[],
  pruned: Pick<ReadonlySet<string>, 'has'> = new Set(),
  beyond: readonly Message[] = [],
  said = 0,
): SavePlan {
  const received = withOrigin(session, [...beyond, ...segments.flatMap((segment) => segment.messages)])
  const append = newLines(
    lines,
    received.filter(({ id }) => !pruned.has(id)),
  )
  const messages = orderMessages([...lines, ...append])
  // Segments come session by session, but the lines to append are put in the order in which they were said.
  if (append.length > 1) {
    const indexes = new Map(messages.map(({ id }, index) => [id, index]))
    append.sort((a, b) => indexes.get(a.id)! - indexes.get(b.id)!)
  }
  return { append, session: describe(session, messages, segments, said), messages }
}

/**
 * Gives lines the origin of this conversation. After a merge, the origin distinguishes these lines from those of
 * another conversation that has the same name.
 */
export function withOrigin({ origin }: SessionFile, lines: readonly Message[]): Message[] {
  return origin === undefined ? [...lines] : lines.map((line) => ({ ...line, origin }))
}

/**
 * The incoming messages that the file does not have, or has in a shorter form. An answer is shorter while it still
 * grows.
 */
export function newLines(lines: readonly Message[], incoming: readonly Message[]): Message[] {
  if (incoming.length === 0) return []
  const present = new Map<string, Message>()
  for (const line of lines) {
    const before = present.get(line.id)
    present.set(line.id, before === undefined ? line : richer(before, line))
  }
  const append: Message[] = []
  for (const received of incoming) {
    const before = present.get(received.id)
    const message = before === undefined ? received : asSaid(received, before)
    if (before !== undefined && richer(before, message) === before) continue
    present.set(message.id, message)
    append.push(message)
  }
  return append
}

/** Keeps the origin and the author of a message as they were first written. */
function asSaid(message: Message, { origin, author }: Message): Message {
  if (message.origin === origin && message.author === author) return message
  const { origin: _, author: __, ...said } = message
  return { ...said, ...(origin === undefined ? {} : { origin }), ...(author === undefined ? {} : { author }) }
}

function describe(
  session: SessionFile,
  messages: readonly Message[],
  segments: readonly ReadSegment[],
  before: number,
): SessionFile {
  const talk = messages.filter(isTalk)
  const agentSessions = mergeAgentSessions(session.agent_sessions, segments)
  const title = session.title === DEFAULT_TITLE || session.title === '' ? titleFrom(messages) : session.title
  return {
    ...session,
    title: title ?? session.title,
    last_active: latest([session.last_active, ...talk.map((message) => message.timestamp)]),
    message_count: before + talk.length,
    agent_config: knownFacts(session, segments, agentSessions),
    agent_sessions: agentSessions,
  }
}

/** Replaces each `unknown` by a fact that is known now, and removes the reason why it was unknown. */
function knownFacts(
  session: SessionFile,
  segments: readonly ReadSegment[],
  agentSessions: readonly AgentSession[],
): SessionFile['agent_config'] {
  const { unknown: reasons, ...config } = session.agent_config
  const model = agentSessions.findLast((agent) => agent.model !== undefined)?.model
  const tools = [...new Set([...config.tools, ...segments.flatMap((segment) => segment.mcpTools)])]
  const why = {
    model: model === undefined ? reasons?.model : undefined,
    tools: segments.length > 0 ? segments.map((one) => one.toolsUnknown).find(Boolean) : reasons?.tools,
  }
  return {
    ...config,
    client: agentSessions.at(-1)?.client ?? config.client,
    model: model ?? config.model,
    tools,
    ...withReasons(reasons, why),
  }
}

/**
 * Returns `reasons` with the changes `why`. If nothing changes, returns the same object, because a forged record may
 * have very long reasons.
 */
function withReasons(
  reasons: Record<string, string> | undefined,
  why: Record<string, string | undefined>,
): { unknown?: Record<string, string> } {
  if (reasons !== undefined && Object.entries(why).every(([fact, reason]) => reasons[fact] === reason))
    return { unknown: reasons }
  const left = Object.entries({ ...reasons, ...why }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return left.length > 0 ? { unknown: Object.fromEntries(left) } : {}
}

/** Keeps one entry for each segment in which something was said. The segment that was active last is at the end. */
function mergeAgentSessions(before: AgentSession[], segments: readonly ReadSegment[]): AgentSession[] {
  const result = [...before]
  for (const segment of segments) {
    const entry = agentSession(segment)
    if (entry === undefined) continue
    const index = result.findIndex(
      (other) =>
        other.client === entry.client && other.native_id === entry.native_id && other.from === entry.from,
    )
    const known = result[index]
    if (known === undefined) result.push(entry)
    else if (!isEarlierCopy(entry, known))
      result[index] = { ...known, ...entry, started_at: known.started_at }
  }
  return result.sort(
    (a, b) =>
      compareTimes(a.last_active, b.last_active) ||
      Number(a.native_id > b.native_id) - Number(a.native_id < b.native_id),
  )
}

/** Whether somebody imports a copy of a session again that was made before the one that the record has. */
function isEarlierCopy(read: AgentSession, known: AgentSession): boolean {
  return read.message_count < known.message_count && compareTimes(read.last_active, known.last_active) < 0
}

function agentSession(segment: ReadSegment): AgentSession | undefined {
  const { said, lastActive } = saidIn(segment)
  if (lastActive === undefined) return undefined
  return {
    client: segment.client,
    native_id: segment.nativeId,
    ...(segment.from === undefined ? {} : { from: segment.from }),
    ...(segment.to === undefined ? {} : { to: segment.to }),
    ...(segment.model === undefined ? {} : { model: segment.model }),
    started_at: segment.startedAt,
    last_active: lastActive,
    message_count: said,
  }
}

/** How many messages were said in a segment, and when the last one was said. */
export function saidIn({
  messages,
  before,
}: Pick<ReadSegment, 'messages' | 'before'>): Pick<KnownFacts, 'said' | 'lastActive'> {
  const talk = messages.filter(isTalk)
  const times = [before?.lastActive ?? [], talk.map((message) => message.timestamp)].flat()
  return {
    said: (before?.said ?? 0) + new Set(talk.map((message) => message.id)).size,
    lastActive: times.length === 0 ? undefined : latest(times),
  }
}

function latest(times: string[]): string {
  return times.reduce((a, b) => (compareTimes(a, b) < 0 ? b : a))
}

/** Times of this form sort as text. */
const PLAIN_TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}\.\d{3}Z$/

/** A text that is not a time comes before every time. */
export function compareTimes(a: string, b: string): number {
  if (PLAIN_TIME.test(a) && PLAIN_TIME.test(b)) return Number(a > b) - Number(a < b)
  const [timeA, timeB] = [Date.parse(a), Date.parse(b)]
  if (Number.isNaN(timeA) || Number.isNaN(timeB))
    return Number(Number.isNaN(timeB)) - Number(Number.isNaN(timeA))
  return timeA - timeB
}
