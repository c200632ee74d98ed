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
 * What a rewritten transcript adds to a conversation. A client that shortens its transcript or writes it anew brings the
 * old talk along: what was said before the conversation stays out of it, what is known stays where it was, and what is
 * new comes behind it.
 */
export function addedByRewriting(
  binding: Binding,
  segment: Segment,
  journal: Generations,
  messages: readonly Message[],
): Message[] {
  const at = journal.generations.findIndex(({ name }) => name === segment.journal)
  const earlier = journal.generations.slice(0, at).map(({ name }) => name)
  const parts = binding.segments.filter(
    (one) => one.conversation === segment.conversation && earlier.includes(one.journal),
  )
  const said = parts.flatMap((one) => read(binding, journal.read(one.journal), one.from, one.to))
  const ours = new Map(said.map((message) => [message.id, message]))
  const all = earlier.flatMap((name) => read(binding, journal.read(name)))
  const others = new Set(all.map(({ id }) => id).filter((id) => !ours.has(id)))
  const next = 1 + all.reduce((highest, { seq = 0 }) => Math.max(highest, seq), 0)
  return messages
    .filter(({ id }) => !others.has(id))
    .map((message) => {
      const known = ours.get(message.id)
      const seq = known === undefined ? next + (message.seq ?? 0) : known.seq
      // The order of the keys stays: a line that is known must come out the same.
      const placed = { ...message, ...(seq === undefined ? {} : { seq }) }
      if (typeof placed.parent_id === 'string' && others.has(placed.parent_id)) delete placed.parent_id
      return placed
    })
}

function read({ client, native_id: nativeId }: Binding, bytes: Uint8Array, from = 0, to = bytes.length) {
  return clientOf(client).reading.read({ nativeId, bytes, from, to, sides: [], side: () => undefined })
    .messages
}
