import { type Fields, textOf } from '../../shared/transcript/fields.ts'
import type { Place } from '../../shared/transcript/tree-talk.ts'
import type { Answer } from './answer.ts'

/**
 * Knows the place of each record in the talk. Claude Code links each record to an earlier one by `parentUuid`. Some of
 * these records are its own bookkeeping. With parallel tools the links form a graph and not a line. Each result is
 * linked to its own call. The next record is linked to only one of the results.
 */
export class Chain {
  #places = new Map<string, Place>()
  #answers = new Map<string, Answer>()
  /**
   * The id of a result's message → the id of the answer that called the tool. An answer and its results are one step.
   */
  #steps = new Map<string, string>()
  /** The uuid of a record → what `outsideOf` returned for it. */
  #outside = new Map<string, string>()
  /**
   * Records without a message, linked to a record that was not read or to another record of this set. Their places may
   * be wrong.
   */
  #adrift = new Set<string>()
  #leaf: Place = null
  readonly #isBefore: (uuid: string) => boolean

  /** `isBefore` returns whether a record with this uuid comes before the segment. */
  constructor(isBefore: (uuid: string) => boolean) {
    this.#isBefore = isBefore
  }

  /** True when nothing was said yet. */
  get isEmpty(): boolean {
    return this.#leaf === null
  }

  /**
   * The message that a record follows; null if it follows none. A record without a parent follows the last message.
   * Only with `mayStartOver`, a record whose `parentUuid` is null begins a new talk and follows none.
   */
  placeBefore(record: Fields, mayStartOver = false): Place {
    const parent = record.parentUuid
    if (typeof parent !== 'string') return parent === null && mayStartOver ? null : this.#leaf
    const place = this.#places.get(parent)
    if (place !== undefined) return place
    // A parent before the segment proves that the record does not follow the last message. Any other parent proves
    // nothing: its line is unreadable, or not written yet.
    return this.#leaf !== null && this.#isBefore(parent) ? null : this.#leaf
  }

  /**
   * Whether the record's place is certain. Also true for a record without a link: its place is that of its line in the
   * file.
   */
  isLinked(record: Fields): boolean {
    const parent = record.parentUuid
    return typeof parent !== 'string' || (this.#places.has(parent) && !this.#adrift.has(parent))
  }

  /**
   * The answer that a record's parent belongs to. The parent may be a line of the answer, one of its tool results, or a
   * later record without a message.
   */
  answerBefore(record: Fields): Answer | undefined {
    return this.#answers.get(textOf(record.parentUuid))
  }

  /**
   * Follows the links from a record upwards. Returns the first uuid whose record was not read: that record is before
   * the segment, unreadable or not written yet. Undefined when every linked record was read.
   */
  outsideOf(record: Fields): string | undefined {
    const parent = textOf(record.parentUuid)
    return this.#places.has(parent) ? this.#outside.get(parent) : parent || undefined
  }

  /** The place of a record whose parent has this uuid; null where that parent was not read. */
  placeAfter(uuid: string): Place {
    return this.#places.get(uuid) ?? null
  }

  /** Whether a record that follows `place` continues the talk. If not, the person went back. */
  continues(place: Place): boolean {
    return this.#step(place) === this.#step(this.#leaf)
  }

  /** Enters a record without a message of its own. It gets the place of its parent. */
  pass(record: Fields): void {
    const uuid = textOf(record.uuid)
    if (uuid === '') return
    if (!this.isLinked(record)) this.#adrift.add(uuid)
    this.#set(record, uuid, this.placeBefore(record), this.answerBefore(record))
  }

  /**
   * Enters a record that is all or part of `message`. The talk then continues after `message`, except if `message` is a
   * late result. `answer` is the answer that the record belongs to.
   */
  enter(record: Fields, message: string, answer?: Answer): void {
    const uuid = textOf(record.uuid)
    // No record can be linked to a record without a uuid, so this record is not part of the chain.
    if (uuid === '') return
    const isResult = answer !== undefined && answer.message.id !== message
    // A late result comes when the talk has already continued without it. It does not take the talk back.
    if (!isResult || this.continues(this.placeBefore(record))) this.#leaf = message
    if (isResult) this.#steps.set(message, answer.message.id)
    this.#set(record, uuid, message, answer)
  }

  #set(record: Fields, uuid: string, place: Place, answer: Answer | undefined): void {
    const outside = this.outsideOf(record)
    if (outside !== undefined) this.#outside.set(uuid, outside)
    this.#places.set(uuid, place)
    if (answer !== undefined) this.#answers.set(uuid, answer)
    // A record with the uuid of another one takes its place.
    else this.#answers.delete(uuid)
  }

  #step(place: Place): Place {
    return place === null ? null : (this.#steps.get(place) ?? place)
  }
}
