import { textOf } from './fields.ts'
import { splitLines } from './lines.ts'

/** The id of a message, or null for the place before the first one. */
export type Place = string | null

/**
 * Knows the place of each entry of a transcript whose entries name the one that they follow, among the messages made of
 * them. The client goes on from the last line, whatever it follows, so an entry that does not follow the message before
 * it takes the talk back.
 */
export class Places {
  /** The id of each entry → the last message up to that entry. */
  readonly #places = new Map<string, Place>()
  /** The message that the talk has come to. */
  leaf: Place = null

  /** The message that an entry follows. An entry whose parent is not known follows the message before it. */
  before(parent: unknown): Place {
    if (parent === null && this.#places.size > 0 && this.leaf !== null) return null
    const place = typeof parent === 'string' ? this.#places.get(parent) : undefined
    return place === undefined ? this.leaf : place
  }

  /** Enters an entry that is a message. */
  enter(id: string, message: string): void {
    this.leaf = message
    if (id !== '') this.#places.set(id, message)
  }

  /** Enters an entry without a message of its own: it has the place of the one that it follows. */
  pass(id: string, parent: unknown): void {
    if (id !== '' && !this.#places.has(id)) this.#places.set(id, this.before(parent))
  }
}

/** Whether an entry, apart from the first one, follows one that is not in these bytes. The keys name the fields of an entry. */
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
