import type { Meaning, Query } from './query.ts'
import { isLetter, isUnspaced } from './words.ts'

export interface Reading {
  from?: number
  to?: number
  /** The text is the inside of a string of JSON. */
  escaped?: boolean
}

const NONE: readonly Meaning[] = []

/** Finds the words of a plain text that may mean a term of a query, one after another. */
export class WordReader {
  /** The start and end of the current word, and the terms that it may mean. */
  start = 0
  end = 0
  meanings = NONE
  readonly #text: string
  readonly #query: Query
  readonly #from: number
  readonly #to: number
  readonly #escaped: boolean

  constructor(text: string, query: Query, { from = 0, to = text.length, escaped = false }: Reading = {}) {
    this.#text = text
    this.#query = query
    this.#from = from
    this.#to = to
    this.#escaped = escaped
    query.pattern.lastIndex = from
  }

  /**
   * Moves to the next word that may mean a term; false when there is none. Uses `test`, because `exec` makes an object
   * for each match. But `test` gives only the end of a match.
   */
  next(): boolean {
    const { pattern, literal } = this.#query
    for (let from = pattern.lastIndex; pattern.test(this.#text); from = pattern.lastIndex) {
      this.end = pattern.lastIndex
      if (this.end > this.#to) return false
      if (literal !== undefined) this.#take(this.end - literal.length)
      else if (isUnspaced(this.#text, this.end - 1)) {
        // A pair that begins before `from` was seen already.
        this.#take(Math.max(this.end - 2, from))
        if (this.meanings.length === 0) this.#take(this.end - 1)
        // Pairs of characters overlap, so the next pair may begin at the second character of this one.
        pattern.lastIndex = this.start + 1
      } else this.#take(this.#beginOfWord(this.end))
      if (this.meanings.length > 0) return true
    }
    return false
  }

  /** Returns up to `length` characters before the current word. */
  before(length: number): string {
    return this.#text.slice(Math.max(this.#from, this.start - length), this.start)
  }

  #take(start: number): void {
    this.start = start
    this.meanings = start === this.end ? NONE : this.#query.meaningOf(this.#text.slice(start, this.end))
  }

  /**
   * Returns the start of the word that ends at `end`. Returns `end` itself if the last letter is that of an escape such
   * as `\n`, because it belongs to no word.
   */
  #beginOfWord(end: number): number {
    let begin = end
    while (begin > this.#from && isLetter(this.#text.charCodeAt(begin - 1)) && !this.#isEscaped(begin - 1))
      begin -= 1
    return begin
  }

  #isEscaped(index: number): boolean {
    return this.#escaped && isEscaped(this.#text, index)
  }
}

/** Whether an odd number of backslashes precedes the character, so that it belongs to an escape such as `\n`. */
function isEscaped(text: string, index: number): boolean {
  if (text.charCodeAt(index - 1) !== BACKSLASH) return false
  let first = index
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1
  return (index - first) % 2 === 1
}

const BACKSLASH = 0x5c
