import { sha256 } from '../../../hash.ts'
import { type Fields, isObject } from './fields.ts'
import { type Line, splitLines } from './lines.ts'

/**
 * The records of a transcript that were read, by their ids. A program that scrubs transcripts can give one id to many
 * records, so a record counts as read before only if one with its id had its content too.
 */
export class SeenRecords {
  /** The bytes of the only record with an id or, where several had it, the hashes of their contents. */
  readonly #byId = new Map<string, Uint8Array | Set<string>>()
  readonly #contentOf: (record: Fields) => unknown

  /** `contentOf` returns what was said in a record: everything that is the same when a client writes it again. */
  constructor(contentOf: (record: Fields) => unknown) {
    this.#contentOf = contentOf
  }

  /** Notes the record of a line. Returns whether it was noted before. A record without an id never was. */
  repeats(id: string, { bytes }: Line, record: Fields): boolean {
    if (id === '') return false
    const seen = this.#byId.get(id)
    if (seen === undefined) {
      this.#byId.set(id, bytes)
      return false
    }
    const contents = seen instanceof Set ? seen : new Set([this.#hashIn(seen)])
    this.#byId.set(id, contents)
    const before = contents.size
    return contents.add(this.#hashOf(record)).size === before
  }

  #hashIn(bytes: Uint8Array): string {
    const content = splitLines(bytes)[0]?.content
    return content?.kind === 'record' ? this.#hashOf(content.record) : ''
  }

  #hashOf(record: Fields): string {
    return sha256(JSON.stringify(this.#contentOf(record), inOrder))
  }
}

/** A copy of a record may have its keys in another order, and keys without a value. */
function inOrder(_: string, value: unknown): unknown {
  if (!isObject(value)) return value
  const keys = Object.keys(value).filter((key) => value[key] !== null)
  return Object.fromEntries(keys.sort().map((key) => [key, value[key]]))
}
