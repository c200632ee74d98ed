import { sha256 } from '../../../hash.ts'
import type { Message, ToolCall } from '../../../session/schema.ts'
import { type Bucket, ByteLedger } from './byte-ledger.ts'
import type { Fields } from './fields.ts'
import type { Line } from './lines.ts'

export type Role = Message['role']
export type Content = Message['content']

/**
 * Makes the messages and events of one talk from the lines of a transcript, and accounts for the bytes of each line. A
 * client's reader decides what a record means; ids, times and places in the talk are assigned here, in one way for all
 * clients.
 */
export class TranscriptWriter {
  /** All messages and events, in the order in which they were added. */
  readonly messages: Message[] = []
  /** The messages that the lines of the segment made or added to. */
  readonly touched = new Set<Message>()
  /** The bytes of the lines of the segment. */
  ledger = new ByteLedger()
  readonly #client: string
  readonly #session: string
  readonly #isGlobal: (nativeId: string) => boolean
  readonly #ids = new Set<string>()
  /** For an id that several messages had, the last id that one of them got. */
  readonly #again = new Map<string, string>()
  #time = '1970-01-01T00:00:00.000Z'
  #rewoundBefore: Message[] = []

  /** `isGlobal` says which of the client's ids are unique beyond their session. Default: all of them. */
  constructor(client: string, session: string, isGlobal: (nativeId: string) => boolean = () => true) {
    this.#client = client
    this.#session = session
    this.#isGlobal = isGlobal
  }

  /** When the current record was written, in ISO 8601. A record without a time has the time of the record before it. */
  get time(): string {
    return this.#time
  }

  set time(time: string | undefined) {
    this.#time = time ?? this.#time
  }

  /**
   * Reads lines, and enters each into the ledger. `readRecord` reads a record, and says where its bytes belong. A JSON
   * value that is no object is kept raw; `idOf` makes its id.
   */
  read(
    lines: readonly Line[],
    readRecord: (line: Line, record: Fields) => Bucket,
    idOf?: (value: unknown) => string,
  ): void {
    for (const line of lines) {
      const { content } = line
      // The order counts: what `readRecord` leaves out is noted before its line is entered.
      const bucket =
        content.kind === 'record'
          ? readRecord(line, content.record)
          : content.kind === 'value'
            ? this.keepUnknown(line, content.value, 'no-object', idOf?.(content.value))
            : content.kind === 'blank'
              ? { dropped: 'blank-line' }
              : content.kind
      this.ledger.enter(line, bucket)
    }
  }

  /** Makes a raw `unknown` event of what no rule knows. */
  keepUnknown(line: Line, raw: unknown, kind: string, nativeId = idOfLine(line)): Bucket {
    this.addEvent(line, nativeId, 'unknown').raw = raw
    return { unknown: kind }
  }

  /**
   * The canonical id of what a native record says. It is made from the record's own id. If that id is unique only in
   * its session, it is made from the session's id too. So the canonical id is the same on every machine and at every
   * import. It is also the same in a fork of the client's session, if the record keeps a unique id there. `parts`
   * distinguish several messages of one record.
   */
  idOf(nativeId: string, ...parts: string[]): string {
    const own = this.#isGlobal(nativeId) ? [nativeId] : [this.#session, nativeId]
    return sha256([this.#client, ...own, ...parts].join('\0')).slice(0, 32)
  }

  /** Makes a message without adding it. */
  make(line: Line, nativeId: string, role: Role, content: Content, ...parts: string[]): Message {
    return this.makeWith(line, { id: this.idOf(nativeId, ...parts), nativeId }, role, content)
  }

  /** Like `make`, but with a given id and, if there is one, the id of the parent. */
  makeWith(
    line: Line,
    { id, nativeId, parent }: { id: string; nativeId: string; parent?: string | undefined },
    role: Role,
    content: Content,
  ): Message {
    return {
      id,
      role,
      content,
      timestamp: this.#time,
      client: this.#client,
      ...(parent === undefined ? {} : { parent_id: parent }),
      native_id: nativeId,
      native_session: this.#session,
      seq: line.seq,
    }
  }

  /** Adds a message at the end. If its id is taken (by damage, or a second rewind to one place), it gets another id. */
  push(message: Message): Message {
    const first = message.id
    // A damaged file may have the same line thousands of times, so the search goes on where it ended.
    message.id = this.#again.get(first) ?? first
    while (this.#ids.has(message.id)) message.id = sha256(`${message.id}\0again`).slice(0, 32)
    if (message.id !== first) this.#again.set(first, message.id)
    this.#ids.add(message.id)
    this.messages.push(message)
    this.touched.add(message)
    return message
  }

  add(line: Line, nativeId: string, role: Role, content: Content, ...parts: string[]): Message {
    return this.push(this.make(line, nativeId, role, content, ...parts))
  }

  addEvent(line: Line, nativeId: string, event: string, ...parts: string[]): Message {
    return Object.assign(this.add(line, nativeId, 'system', '', event, ...parts), { event })
  }

  /** Begins the segment: all lines that were read so far are before it. Lines before `countFrom` are not counted. */
  beginSegment(countFrom?: number): void {
    this.touched.clear()
    this.ledger = new ByteLedger(countFrom)
    const last = this.messages.findLastIndex(({ event }) => event === undefined)
    this.#rewoundBefore = this.messages.slice(last + 1).filter(({ event }) => event === 'rewound')
  }

  /**
   * The messages of the segment, with the rewinds just before it: a client writes a rewind before the prompt that
   * begins the segment.
   */
  segmentMessages(): Message[] {
    if (this.touched.size > 0) for (const event of this.#rewoundBefore) this.touched.add(event)
    return this.messages.filter((message) => this.touched.has(message))
  }
}

/** The id of a record that has none. */
export function idOfLine({ bytes }: Line): string {
  return sha256(bytes).slice(0, 32)
}

/** Puts into an answer what it has besides its content. */
export function addToAnswer(
  answer: Message,
  has: { thoughts: string; calls: ToolCall[]; model: string | undefined; tokens: unknown },
): Message {
  if (has.thoughts !== '') answer.reasoning = has.thoughts
  if (has.calls.length > 0) answer.tool_calls = has.calls
  if (has.model) answer.model = has.model
  if (typeof has.tokens === 'number' && has.tokens > 0) answer.tokens = has.tokens
  return answer
}

/** Puts into the result of a tool what it has besides its content. */
export function addToResult(
  result: Message,
  has: {
    call: string
    name: string | undefined
    failed: boolean
    refused?: boolean
    attachments?: NonNullable<Message['attachments']>
  },
): Message {
  result.tool_call_id = has.call
  if (has.name !== undefined) result.tool_name = has.name
  if (has.failed) result.is_error = true
  if (has.attachments !== undefined && has.attachments.length > 0) result.attachments = has.attachments
  if (has.refused) result.refused = true
  return result
}
