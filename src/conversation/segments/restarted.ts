import type { Message } from '../../session/schema.ts'
import type { Binding, Segment } from '../../store/machine/binding.ts'
import type { Forgotten } from '../../store/machine/journal/forgotten.ts'
import { messagesIn } from './messages-in.ts'

/** The journal of a native session, as far as this file needs it. */
interface Generations {
  /** Oldest first. */
  generations: readonly { name: string }[]
  read(name: string): Uint8Array
}

/**
 * Returns the messages of a rewritten transcript that belong to the segment's conversation. A client that rewrites its
 * transcript repeats old talk, so what was not the conversation's is left out, unless a person has imported it.
 * Messages that were there before keep their order, and new messages come after them.
 */
export function ownMessagesAfterRewrite(
  binding: Binding,
  segment: Segment,
  journal: Generations,
  forgotten: () => Forgotten,
  messages: readonly Message[],
): Message[] {
  const generations = earlierGenerations(binding, segment, journal)
  // This comes after the generations: they may be blanked meanwhile.
  const known = forgotten()
  const { ours, others } = idsBySide(generations)
  const { seqs, next } = seqsOf(generations, known)
  const said = withoutForgotten(segment, known, messages).filter(
    ({ id }) => segment.how === 'import' || !others.has(id),
  )
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

/** Leaves out what was blanked before, and the client has repeated, unless a person has imported it. */
export function withoutForgotten(
  { how }: Segment,
  { seqs }: Pick<Forgotten, 'seqs'>,
  messages: readonly Message[],
): Message[] {
  return how === 'import' ? [...messages] : messages.filter(({ id }) => !seqs.has(id))
}

/** The messages of a generation. */
export interface Numbered {
  name: string
  all: readonly Pick<Message, 'id' | 'seq'>[]
}

interface Generation extends Numbered {
  /** Those in the segments of the conversation. */
  own: Message[]
}

/** The generations before a segment's own one. */
function earlierGenerations(binding: Binding, segment: Segment, journal: Generations): Generation[] {
  const index = journal.generations.findIndex(({ name }) => name === segment.journal)
  const native = { client: binding.client, nativeId: binding.native_id }
  const parts = binding.segments.filter(({ conversation }) => conversation === segment.conversation)
  return journal.generations.slice(0, Math.max(0, index)).map(({ name }) => {
    const bytes = journal.read(name)
    const inParts = parts
      .filter((one) => one.journal === name)
      .flatMap(({ from, to }) => messagesIn(native, bytes, from, to))
    return { name, all: messagesIn(native, bytes), own: inParts }
  })
}

/**
 * Divides ids into those of the conversation and those of other talk. A generation may repeat messages of earlier
 * generations, even inside a segment of the conversation. So an id stays on the side on which it appeared first.
 */
function idsBySide(generations: readonly Generation[]) {
  const ours = new Set<string>()
  const others = new Set<string>()
  for (const { all, own } of generations) {
    for (const { id } of own) if (!others.has(id)) ours.add(id)
    for (const { id } of all) if (!ours.has(id)) others.add(id)
  }
  return { ours, others }
}

/**
 * Returns the sequence numbers of all messages, and the next free number. Each generation continues the numbers of the
 * one before it, also where messages of that one are blank now.
 */
export function seqsOf(generations: readonly Numbered[], { seqs: blanked, highest }: Forgotten) {
  const seqs = new Map(blanked)
  let next = 0
  for (const { name, all } of generations) {
    for (const { id, seq } of all) if (!seqs.has(id)) seqs.set(id, seq === undefined ? seq : next + seq)
    next += 1 + all.reduce((most, { seq = 0 }) => Math.max(most, seq), highest[name] ?? 0)
  }
  return { seqs, next }
}
