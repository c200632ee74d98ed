import { beforeControlTurn } from '../../../session/control-turns.ts'
import type { Message } from '../../../session/schema.ts'
import type { Bucket } from '../../shared/transcript/byte-ledger.ts'
import { blocksOf, type Fields, fieldsOf, isoTime, textOf } from '../../shared/transcript/fields.ts'
import type { Line } from '../../shared/transcript/lines.ts'
import {
  type Content,
  idOfLine,
  type Role,
  TranscriptWriter,
} from '../../shared/transcript/transcript-writer.ts'
import type { Place } from '../../shared/transcript/tree-talk.ts'
import type { Before } from './before.ts'
import { Chain } from './chain.ts'

/** The messages of one thread of records, and the place of each record among the messages. */
export class Thread extends TranscriptWriter {
  readonly chain: Chain
  readonly #before: Before
  readonly #earlier: () => Thread

  /**
   * `earlier` reads the lines before the segment. It is called only if a prompt is linked to one of these lines and may
   * therefore be a rewind.
   */
  constructor(nativeSession: string, before: Before, earlier: () => Thread) {
    super('claude', nativeSession)
    this.#before = before
    this.#earlier = earlier
    this.chain = new Chain((uuid) => before.hasRecord(uuid))
  }

  /** Adds a message. The caller enters its record in the chain. */
  say(line: Line, record: Fields, role: Role, content: Content, ...parts: string[]): Message {
    return this.sayAs(this.idOf(nativeIdOf(line, record), ...parts), line, record, role, content)
  }

  sayAs(id: string, line: Line, record: Fields, role: Role, content: Content): Message {
    const place = this.chain.placeBefore(record, role === 'user')
    const parent = place === null || !this.chain.isLinked(record) ? undefined : place
    return this.push(this.makeWith(line, { id, nativeId: nativeIdOf(line, record), parent }, role, content))
  }

  note(line: Line, record: Fields, event: string, ...parts: string[]): Message {
    return Object.assign(this.say(line, record, 'system', '', event, ...parts), { event })
  }

  /** Makes a raw `unknown` event of what no rule knows: a record or a part of a record. */
  unknown(line: Line, record: Fields, raw: unknown, ...parts: string[]): void {
    this.note(line, record, 'unknown', ...parts).raw = raw
  }

  override keepUnknown(line: Line, raw: unknown, kind: string): Bucket {
    this.unknown(line, fieldsOf(raw), raw)
    return { unknown: kind }
  }

  /**
   * Notes a rewind if the person went back, so that their prompt is linked to an earlier message. The messages after
   * that message leave the live path.
   */
  markRewind(line: Line, record: Fields): void {
    const inside = this.chain.placeBefore(record, true)
    const outside = inside === null ? this.#rewindTarget(record) : undefined
    if (outside === undefined && this.chain.continues(inside)) return
    const event = this.note(line, record, 'rewound')
    event.to = outside ?? inside
    delete event.parent_id
  }

  /**
   * Returns the place, before the segment, to which a prompt goes back. Undefined when the prompt continues from the
   * last record before the segment, or is linked to no record before the segment.
   */
  #rewindTarget(record: Fields): Place | undefined {
    const uuid = this.chain.outsideOf(record)
    if (uuid === undefined || (this.chain.isEmpty && this.#before.isLast(uuid))) return undefined
    if (!this.#before.hasRecord(uuid)) return undefined
    const { chain, messages } = this.#earlier()
    const place = chain.placeAfter(uuid)
    return this.chain.isEmpty && chain.continues(place) ? undefined : beforeControlTurn(messages, place)
  }
}

function nativeIdOf(line: Line, { uuid }: Fields): string {
  return textOf(uuid) || idOfLine(line)
}

/** When a record was written, in ISO 8601. A time of that form stays as it is. */
export function timeOf({ timestamp }: Fields): string | undefined {
  const time = textOf(timestamp)
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(time) ? time : isoTime(time)
}

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
