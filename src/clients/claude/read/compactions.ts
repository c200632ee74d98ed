import type { Message } from '../../../session/schema.ts'
import { blocksOf, type Fields, fieldsOf, textOf } from '../../shared/transcript/fields.ts'
import type { Line } from '../../shared/transcript/lines.ts'
import type { Thread } from './thread.ts'

/**
 * Makes an event of each compaction, from its boundary record (`compact_boundary`) and the summary that follows that
 * record.
 */
export class Compactions {
  readonly #thread: Thread
  readonly #events = new Map<string, Message>()

  constructor(thread: Thread) {
    this.#thread = thread
  }

  boundary(line: Line, record: Fields): Message {
    const event = this.#thread.note(line, record, 'compacted')
    event.summary = ''
    this.#events.set(event.id, event)
    this.#thread.chain.enter(record, event.id)
    return event
  }

  /** Reads the summary that the model gets after a compaction, and puts it into the event of the boundary record. */
  summary(line: Line, record: Fields): void {
    const { chain } = this.#thread
    const place = chain.placeBefore(record)
    const open = place === null ? undefined : this.#events.get(place)
    // The event's id is made from the boundary record, even if that record is before the segment.
    const outside = chain.outsideOf(record)
    const event = open ?? this.boundary(line, outside === undefined ? record : { ...record, uuid: outside })
    event.summary = blocksOf(fieldsOf(record.message).content)
      .map((block) => textOf(block.text))
      .join('\n')
    chain.enter(record, event.id)
  }
}
