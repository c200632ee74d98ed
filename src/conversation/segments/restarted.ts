import { clientOf } from '../../clients/index.ts'
import type { Message } from '../../session/schema.ts'
import type { Binding, Segment } from '../../store/machine/binding.ts'

/** The journal of a native session, as far as it is asked here. */
interface Generations {
  /** Oldest first. */
  generations: readonly { name: string }[]
  read(name: string): Uint8Array
}

/**
 * The messages that a rewritten transcript adds to a conversation. A client that shortens its transcript or writes it anew brings the
 * old talk along: what was said before the conversation stays out of it, what is known stays where it was, and what is
 * new comes after it.
 */
export function addedByRewriting(
  binding: Binding,
  segment: Segment,
  journal: Generations,
  messages: readonly Message[],
): Message[] {
  const at = journal.generations.findIndex(({ name }) => name === segment.journal)
  const earlier = journal.generations.slice(0, at).map(({ name }) => name)
  const parts = binding.segments.filter((one) => one.conversation === segment.conversation)
  const generations = earlier.map((name) => ({
    all: read(binding, journal.read(name)),
    parts: parts
      .filter((one) => one.journal === name)
      .map((one) => read(binding, journal.read(name), one.from, one.to)),
  }))
  const { ours, others } = sides(generations)
  const { places, next } = placesIn(generations.map(({ all }) => all))
  return messages
    .filter(({ id }) => !others.has(id))
    .map((message) => {
      const seq = ours.has(message.id) ? places.get(message.id) : next + (message.seq ?? 0)
      // The order of the keys stays: a line that is known must come out the same.
      const placed = { ...message, ...(seq === undefined ? {} : { seq }) }
      if (typeof placed.parent_id === 'string' && others.has(placed.parent_id)) delete placed.parent_id
      return placed
    })
}

/**
 * The ids of the conversation and those of other talk. A generation brings along what earlier ones held, and so does a
 * part that begins with it: what was another talk's before stays so.
 */
function sides(generations: readonly { all: readonly Message[]; parts: readonly Message[][] }[]) {
  const ours = new Set<string>()
  const others = new Set<string>()
  for (const { all, parts } of generations) {
    for (const { id } of parts.flat()) if (!others.has(id)) ours.add(id)
    for (const { id } of all) if (!ours.has(id)) others.add(id)
  }
  return { ours, others }
}

/** The places of the messages of all generations, each generation after the one before, and the first place of the next. */
function placesIn(generations: readonly (readonly Message[])[]) {
  const places = new Map<string, number | undefined>()
  let next = 0
  for (const messages of generations) {
    for (const { id, seq } of messages)
      if (!places.has(id)) places.set(id, seq === undefined ? seq : next + seq)
    next += 1 + messages.reduce((highest, { seq = 0 }) => Math.max(highest, seq), 0)
  }
  return { places, next }
}

function read({ client, native_id: nativeId }: Binding, bytes: Uint8Array, from = 0, to = bytes.length) {
  return clientOf(client).reading.read({ nativeId, bytes, from, to, sides: [], side: () => undefined })
    .messages
}
