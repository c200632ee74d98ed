import type { Message } from '../../session/schema.ts'
import type { Binding, Segment } from '../../store/machine/binding.ts'
import { messagesIn } from './messages-in.ts'

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
  const index = journal.generations.findIndex(({ name }) => name === segment.journal)
  const earlier = journal.generations.slice(0, index).map(({ name }) => name)
  const native = { client: binding.client, nativeId: binding.native_id }
  const parts = binding.segments.filter((one) => one.conversation === segment.conversation)
  const generations = earlier.map((name) => ({
    all: messagesIn(native, journal.read(name)),
    parts: parts
      .filter((one) => one.journal === name)
      .map((one) => messagesIn(native, journal.read(name), one.from, one.to)),
  }))
  const { ours, others } = idsBySide(generations)
  const { seqs, next } = seqsOf(generations.map(({ all }) => all))
  return messages
    .filter(({ id }) => !others.has(id))
    .map((message) => {
      const seq = ours.has(message.id) ? seqs.get(message.id) : next + (message.seq ?? 0)
      // The order of the keys stays, so that a recorded message gives the same line again.
      const moved = { ...message, ...(seq === undefined ? {} : { seq }) }
      if (typeof moved.parent_id === 'string' && others.has(moved.parent_id)) delete moved.parent_id
      return moved
    })
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
