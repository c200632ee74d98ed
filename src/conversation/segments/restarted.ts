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
 * transcript repeats old talk, so what was not the conversation's is left out; of a segment that began after the rewrite,
 * only the talk of other conversations; of one that a person has imported, nothing. Messages that were there before keep
 * their order, and new messages come after them.
 */
export function ownMessagesAfterRewrite(
  binding: Binding,
  segment: Segment,
  journal: Generations,
  messages: readonly Message[],
): Message[] {
  const generations = earlierGenerations(binding, segment, journal)
  const { ours, others } = idsBySide(generations, segment)
  const { seqs, next } = seqsOf(generations.map(({ all }) => all))
  const said = messages.filter(({ id }) => !others.has(id))
  // A parent may be of other talk that was deleted since, so that only its id is left.
  const own = new Set([...ours, ...said.map(({ id }) => id)])
  return said.map((message) => {
    const seq = seqs.has(message.id) ? seqs.get(message.id) : next + (message.seq ?? 0)
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
  const { others } = idsBySide(earlierGenerations(binding, segment, journal), segment)
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

/** The messages of a generation: all, those in the segments of the conversation, and those in segments of others. */
interface Generation {
  all: Message[]
  own: Message[]
  foreign: Message[]
}

/** The generations before a segment's own one. */
function earlierGenerations(binding: Binding, segment: Segment, journal: Generations): Generation[] {
  const index = journal.generations.findIndex(({ name }) => name === segment.journal)
  const native = { client: binding.client, nativeId: binding.native_id }
  return journal.generations.slice(0, Math.max(0, index)).map(({ name }) => {
    const bytes = journal.read(name)
    const parts = binding.segments.filter((one) => one.journal === name)
    const inParts = (isOwn: boolean) =>
      parts
        .filter(({ conversation }) => (conversation === segment.conversation) === isOwn)
        .flatMap(({ from, to }) => messagesIn(native, bytes, from, to))
    return { all: messagesIn(native, bytes), own: inParts(true), foreign: inParts(false) }
  })
}

/**
 * Divides ids into those of the conversation and those of other talk. A generation may repeat messages of earlier
 * generations, even inside a segment of the conversation. So an id stays on the side on which it appeared first.
 */
function idsBySide(generations: readonly Generation[], { restarted, how }: Segment) {
  const ours = new Set<string>()
  const others = new Set<string>()
  for (const { all, own, foreign } of generations) {
    for (const { id } of own) if (!others.has(id)) ours.add(id)
    const left = restarted === true ? all : how === 'import' ? [] : foreign
    for (const { id } of left) if (!ours.has(id)) others.add(id)
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
