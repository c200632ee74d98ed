import { sha256 } from '../../../crypto.ts'
import { besideControlTurns } from '../../../session/control-turns.ts'
import type { Message } from '../../../session/schema.ts'
import { type Fields, textOf } from '../../shared/transcript/fields.ts'
import type { Line } from '../../shared/transcript/lines.ts'
import type { Before } from './before.ts'
import { Chain, type Place } from './chain.ts'
import { messageId } from './ids.ts'

/** The messages of one thread of records, and where each record stands among them. */
export class Thread {
  readonly messages: Message[] = []
  readonly chain: Chain
  readonly #nativeSession: string
  readonly #ids = new Set<string>()
  #time = '1970-01-01T00:00:00.000Z'

  readonly #before: Before
  readonly #earlier: () => Thread

  /** `earlier` reads what lies before the segment. It is called only when the person went back to there. */
  constructor(nativeSession: string, before: Before, earlier: () => Thread) {
    this.#nativeSession = nativeSession
    this.#before = before
    this.#earlier = earlier
    this.chain = new Chain((uuid) => before.hasRecord(uuid))
  }

  /** When the current record was written. A record without a time has the time of the record before it. */
  set time(value: unknown) {
    this.#time = isoTime(value) ?? this.#time
  }

  /** Appends a message. The caller enters its record in the chain. */
  push(line: Line, record: Fields, id: string, role: Message['role'], content: Message['content']): Message {
    const parent = this.chain.placeBefore(record, role === 'user')
    const message: Message = {
      id: this.#unique(id),
      role,
      content,
      timestamp: this.#time,
      client: 'claude',
      ...(parent === null || !this.chain.isLinked(record) ? {} : { parent_id: parent }),
      native_id: nativeIdOf(line, record),
      native_session: this.#nativeSession,
      seq: line.seq,
    }
    this.messages.push(message)
    return message
  }

  /** Keeps, raw, what no rule knows. */
  unknown(line: Line, record: Fields, raw: unknown, ...parts: string[]): void {
    const id = messageId(nativeIdOf(line, record), 'unknown', ...parts)
    const event = this.push(line, record, id, 'system', '')
    event.event = 'unknown'
    event.raw = raw
  }

  /**
   * Notes a rewind when a person went back: what they say now hangs on an earlier message, and what lay between is off
   * the live path.
   */
  markRewind(line: Line, record: Fields): void {
    const inside = this.chain.placeBefore(record, true)
    const outside = inside === null ? this.#wayBackBefore(record) : undefined
    if (outside === undefined && this.chain.continues(inside)) return
    const event = this.push(line, record, messageId(nativeIdOf(line, record), 'rewound'), 'system', '')
    event.event = 'rewound'
    event.to = outside ?? inside
    delete event.parent_id
  }

  /**
   * The place before the segment that a prompt went back to. Undefined when it continues from the end, or hangs on
   * nothing there.
   */
  #wayBackBefore(record: Fields): Place | undefined {
    const uuid = this.chain.outsideOf(record)
    if (uuid === undefined || (this.chain.isEmpty && this.#before.isLast(uuid))) return undefined
    if (!this.#before.hasRecord(uuid)) return undefined
    const { chain, messages } = this.#earlier()
    const place = chain.placeBehind(uuid)
    return this.chain.isEmpty && chain.continues(place) ? undefined : besideControlTurns(messages, place)
  }

  /**
   * Makes an id unique. Two messages have one id only through damage, such as a line without a uuid that stands twice.
   */
  #unique(id: string): string {
    let unique = id
    while (this.#ids.has(unique)) unique = messageId(unique, 'again')
    this.#ids.add(unique)
    return unique
  }
}

/** A record without a uuid has the hash of its line for an id. */
export function nativeIdOf(line: Line, record: Fields): string {
  return textOf(record.uuid) || sha256(line.bytes).slice(0, 32)
}

function isoTime(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)) return value
  const time = Date.parse(value)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}
