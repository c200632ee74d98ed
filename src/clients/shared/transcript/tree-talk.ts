import { beforeControlTurn } from '../../../session/control-turns.ts'
import type { Message } from '../../../session/schema.ts'
import type { Bucket } from './byte-ledger.ts'
import { type Fields, fieldsOf, textOf } from './fields.ts'
import { type Line, splitLines } from './lines.ts'
import { type Content, idOfLine, type Role, TranscriptWriter } from './transcript-writer.ts'

/** The id of a message, or null for the place before the first one. */
export type Place = string | null

/**
 * The messages of a transcript whose records name the one that they follow. The client goes on from the last line, whatever
 * it follows, so a record that does not follow the message before it takes the talk back.
 */
export class TreeTalk extends TranscriptWriter {
  /** The id of each record → the last message up to that record. */
  readonly #places = new Map<string, Place>()
  /** The message that the talk has come to. */
  #leaf: Place = null
  readonly #keys: { id: string; parent: string; alsoId?: string }

  /** `keys` name the fields of a record. The id of a message is made from `id` and, if there is one, `alsoId`. */
  constructor(client: string, session: string, keys: { id: string; parent: string; alsoId?: string }) {
    super(client, session)
    this.#keys = keys
  }

  /** Adds what a record says. Notes a rewind where the record does not follow the message before it. */
  say(line: Line, record: Fields, role: Role, content: Content, ...parts: string[]): Message {
    const place = this.#before(record)
    if (parts.length === 0 && place !== this.#leaf) this.#rewind(line, record, place)
    const message = this.push(this.#make(line, record, role, content, ...parts))
    this.#leaf = message.id
    const id = textOf(record[this.#keys.id])
    if (id !== '') this.#places.set(id, message.id)
    return message
  }

  note(line: Line, record: Fields, event: string): Message {
    return this.push(Object.assign(this.#make(line, record, 'system', '', event), { event }))
  }

  override keepUnknown(line: Line, raw: unknown, kind: string): Bucket {
    this.note(line, fieldsOf(raw), 'unknown').raw = raw
    return { unknown: kind }
  }

  /** Takes the talk back to the message that a record follows. */
  goBack(line: Line, record: Fields): void {
    const place = this.#before(record)
    this.#rewind(line, record, place)
    this.#leaf = place
  }

  /** Enters a record. One that said nothing has the place of the one that it follows. */
  pass(record: Fields): void {
    const id = textOf(record[this.#keys.id])
    if (id !== '' && !this.#places.has(id)) this.#places.set(id, this.#before(record))
  }

  /** The message that a record follows. A record whose parent is not known follows the message before it. */
  #before(record: Fields): Place {
    const parent = record[this.#keys.parent]
    if (parent === null && this.#places.size > 0 && this.#leaf !== null) return null
    const place = typeof parent === 'string' ? this.#places.get(parent) : undefined
    return place === undefined ? this.#leaf : place
  }

  #rewind(line: Line, record: Fields, place: Place): void {
    this.note(line, record, 'rewound').to = beforeControlTurn(this.messages, place)
  }

  #make(line: Line, record: Fields, role: Role, content: Content, ...parts: string[]): Message {
    const { id, alsoId } = this.#keys
    const more = alsoId === undefined ? [] : [textOf(record[alsoId])]
    return this.make(line, textOf(record[id]) || idOfLine(line), role, content, ...more, ...parts)
  }
}

/**
 * Whether an entry, apart from the first one, follows one that is not in these bytes. The keys name the fields of an
 * entry.
 */
export function followsElsewhere(bytes: Uint8Array, idKey: string, parentKey: string): boolean {
  const ids = new Set<string>()
  for (const { content } of splitLines(bytes)) {
    if (content.kind !== 'record') continue
    const { [idKey]: id, [parentKey]: parent } = content.record
    if (ids.size > 0 && typeof parent === 'string' && !ids.has(parent)) return true
    ids.add(textOf(id))
  }
  return false
}
