import type { Message } from '../../session/schema.ts'
import type { Binding, Segment } from '../../store/machine/binding.ts'
import { messagesIn, offsetOf } from './messages-in.ts'

/** The journal of a native session, as far as this file needs it. */
interface Generations {
  /** Oldest first. */
  generations: readonly { name: string }[]
  read(name: string): Uint8Array
}

/**
 * Returns the messages of a rewritten transcript that belong to the segment's conversation. A client that rewrites its
 * transcript repeats old talk, so the messages of other segments are left out. Messages that the conversation already
 * had keep their order, and new messages come after them.
 */
export function ownMessagesAfterRewrite(
  binding: Binding,
  segment: Segment,
  journal: Generations,
  messages: readonly Message[],
): Message[] {
  const generations = earlierGenerations(binding, segment, journal)
  const { ours, others } = idsBySide(generations)
  const { seqs, next } = seqsOf(generations.map(({ all }) => all))
  const said = messages.filter(({ id }) => !others.has(id))
  // A parent may be of other talk that was deleted since, so that only its id is left.
  const own = new Set([...ours, ...said.map(({ id }) => id)])
  return said.map((message) => {
    const seq = ours.has(message.id) ? seqs.get(message.id) : next + (message.seq ?? 0)
    // The order of the keys stays, so that a recorded message gives the same line again.
    const moved = { ...message, ...(seq === undefined ? {} : { seq }) }
    if (typeof moved.parent_id === 'string' && !own.has(moved.parent_id)) delete moved.parent_id
    return moved
  })
}

/**
 * Returns the parts of a segment that belong to its conversation: of a rewritten transcript, those without the repeated
 * talk of others.
 */
export function ownParts(
  binding: Binding,
  segment: Segment,
  journal: Generations,
): { journal: string; from: number; to?: number }[] {
  const { others } = idsBySide(earlierGenerations(binding, segment, journal))
  if (others.size === 0) return [segment]
  const bytes = journal.read(segment.journal)
  const { from, to = bytes.length } = segment
  const native = { client: binding.client, nativeId: binding.native_id }
  const parts: { journal: string; from: number; to?: number }[] = []
  let [start, isOwn] = [from, true]
  for (const message of messagesIn(native, bytes, from, to)) {
    if (others.has(message.id) === !isOwn) continue
    const at = offsetOf(bytes, message) ?? start
    if (isOwn && at > start) parts.push({ journal: segment.journal, from: start, to: at })
    ;[start, isOwn] = [at, !isOwn]
  }
  // What comes after an own message at the end may still grow.
  return isOwn ? [...parts, { ...segment, from: start }] : parts
}

/** The messages of the generations before a segment's own one, and those of them that are in its conversation. */
function earlierGenerations(binding: Binding, segment: Segment, journal: Generations) {
  const index = journal.generations.findIndex(({ name }) => name === segment.journal)
  const native = { client: binding.client, nativeId: binding.native_id }
  const parts = binding.segments.filter((one) => one.conversation === segment.conversation)
  return journal.generations.slice(0, Math.max(0, index)).map(({ name }) => ({
    all: messagesIn(native, journal.read(name)),
    parts: parts
      .filter((one) => one.journal === name)
      .map((one) => messagesIn(native, journal.read(name), one.from, one.to)),
  }))
}

/**
 * Divides ids into those of the conversation and those of other talk. A generation may repeat messages of earlier
 * generations, even inside a segment of the conversation. So an id stays on the side on which it appeared first.
 */
function idsBySide(generations: readonly { all: readonly Message[]; parts: readonly Message[][] }[]) {
  const ours = new Set<string>()
  const others = new Set<string>()
  for (const { all, parts } of generations) {
    for (const { id } of parts.flat()) if (!others.has(id)) ours.add(id)
    for (const { id } of all) if (!ours.has(id)) others.add(id)
  }
  return { ours, others }
}

/**
 * Returns the sequence numbers of all messages, and the next free number. Each generation continues the numbers of the
 * one before it.
 */
function seqsOf(generations: readonly (readonly Message[])[]) {
  const seqs = new Map<string, number | undefined>()
  let next = 0
  for (const messages of generations) {
    for (const { id, seq } of messages) if (!seqs.has(id)) seqs.set(id, seq === undefined ? seq : next + seq)
    next += 1 + messages.reduce((highest, { seq = 0 }) => Math.max(highest, seq), 0)
  }
  return { seqs, next }
}
