import { LETTERS, UNSPACED_CHARACTERS } from './words.ts'

/**
 * For each word of a text, the lines that contain it, and how often. A pattern of `patternOf` (pattern.ts) matches inside
 * one word, or one or two characters of a script without spaces. So it is enough to search all different words, which
 * are a small part of the text.
 *
 * In bytes: the length of the words of ASCII and that of the others (4 bytes each), these words, the lists. Each word is
 * followed by the place of its list, in signs that are no letters, and a line break. A list has its length, then for
 * each line twice the distance from the line before, plus one if the word is there several times; then the next number
 * says how often. All numbers have 7 bits in a byte, low bits first.
 */
export class WordLists {
  /** The first one is the list of `mark`. */
  readonly #numbers = new Map([['', 0]])
  /** For each word, the place of its last entry. */
  readonly #last = [-1]
  /** The word, the line and the count of each entry, in the order of the lines. */
  #entries = new Uint32Array(3 << 15)
  #length = 0

  /** Adds the words of one line, the inside of a string of JSON or a line of JSON. Lines come in order. */
  add(text: string, line: number): void {
    const said = text.includes('\\') ? text.replace(ESCAPES, '  ') : text
    const isPlain = !NOT_ASCII.test(said)
    for (const run of said.match(RUNS) ?? [])
      if (isPlain || !UNSPACED.test(run)) {
        if (run.length <= MAX_LENGTH) this.#enter(run, line)
      } else
        for (let index = 0; index < run.length; index += 1) {
          this.#enter(run[index]!, line)
          if (index > 0) this.#enter(run.slice(index - 1, index + 1), line)
        }
  }

  /**
   * Puts a line on a list of its own, which `eachWord` reports as that of the word `''`: a line whose words are not all
   * here, and that every query has to read.
   */
  mark(line: number): void {
    this.#enter('', line)
  }

  toBytes(): Buffer {
    // The entries sorted by word; those of a word stay in the order of the lines.
    const starts = new Uint32Array(this.#numbers.size + 1)
    for (let at = 0; at < this.#length; at += 3) starts[this.#entries[at]! + 1]! += 1
    for (let word = 0; word < this.#numbers.size; word += 1) starts[word + 1]! += starts[word]!
    const sorted = new Uint32Array(this.#length / 3)
    const next = starts.slice()
    for (let at = 0; at < this.#length; at += 3) {
      const word = this.#entries[at]!
      sorted[next[word]!] = at
      next[word]! += 1
    }
    const lists = new Numbers()
    const named: [ascii: string[], others: string[]] = [[], []]
    for (const [word, number] of this.#numbers) {
      named[NOT_ASCII.test(word) ? 1 : 0].push(`${word}${inSigns(lists.length)}\n`)
      const entries = sorted.subarray(starts[number], starts[number + 1])
      lists.add(entries.length)
      let before = 0
      for (const at of entries) {
        const [line, count] = [this.#entries[at + 1]!, this.#entries[at + 2]!]
        lists.add(2 * (line - before) + (count > 1 ? 1 : 0))
        if (count > 1) lists.add(count)
        before = line
      }
    }
    const words = named.map((some) => Buffer.from(some.join('')))
    const lengths = Buffer.from(Uint32Array.from(words.map(({ length }) => length)).buffer)
    return Buffer.concat([lengths, ...words, lists.bytes()])
  }

  #enter(word: string, line: number): void {
    let number = this.#numbers.get(word)
    if (number === undefined) {
      number = this.#numbers.size
      // A copy of the word, because a slice would keep the whole text in memory.
      this.#numbers.set(Buffer.from(word).toString(), number)
      this.#last.push(-1)
    }
    const last = this.#last[number]!
    if (last !== -1 && this.#entries[last + 1] === line) {
      this.#entries[last + 2]! += 1
      return
    }
    if (this.#length === this.#entries.length) {
      const larger = new Uint32Array(2 * this.#length)
      larger.set(this.#entries)
      this.#entries = larger
    }
    this.#last[number] = this.#length
    this.#entries[this.#length] = number
    this.#entries[this.#length + 1] = line
    this.#entries[this.#length + 2] = 1
    this.#length += 3
  }
}

const NOT_ASCII = /[^\0-\x7f]/
const UNSPACED = new RegExp(`^[${UNSPACED_CHARACTERS}]`)
const RUNS = new RegExp(`[${LETTERS}]+|[${UNSPACED_CHARACTERS}]+`, 'g')
/** In an escape such as `\n`, the letter belongs to no word. */
const ESCAPES = /\\./g
/** Longer words are not found (meaning.ts). */
const MAX_LENGTH = 128

/**
 * Reports each word that `pattern` matches, with a function that reports its lines and how often each has it. `bytes` are
 * those of `WordLists`. `pattern` is global.
 */
export function eachWord(
  bytes: Buffer,
  pattern: RegExp,
  report: (word: string, eachLine: (take: (line: number, count: number) => void) => void) => void,
): void {
  const others = 8 + bytes.readUInt32LE(0)
  const end = others + bytes.readUInt32LE(4)
  // Text of one byte for each character is searched faster.
  const texts = [bytes.toString('latin1', 8, others), bytes.toString('utf8', others, end)]
  for (const [number, text] of texts.entries()) {
    const reportAt = (word: string, at: number) =>
      report(word, (take) => readList(bytes, end + fromSigns(text, at), take))
    if (number === 0) reportAt('', 0)
    pattern.lastIndex = 0
    while (pattern.test(text)) {
      let at = pattern.lastIndex
      while (!SIGNS.includes(text[at]!)) at += 1
      reportAt(text.slice(text.lastIndexOf('\n', at) + 1, at), at)
      pattern.lastIndex = text.indexOf('\n', at)
    }
  }
}

function readList(bytes: Buffer, offset: number, take: (line: number, count: number) => void): void {
  let [at, line] = [offset, 0]
  const read = () => {
    let byte = bytes[at++]!
    let number = byte & 0x7f
    for (let factor = 128; byte >= 0x80; factor *= 128) {
      byte = bytes[at++]!
      number += (byte & 0x7f) * factor
    }
    return number
  }
  for (let left = read(); left > 0; left -= 1) {
    const step = read()
    line += step >>> 1
    take(line, (step & 1) === 1 ? read() : 1)
  }
}

/** The digits of a number that no pattern of letters matches. */
const SIGNS = '!"#$%&()*+,-./:;'

function inSigns(number: number): string {
  return number.toString(16).replace(/./g, (digit) => SIGNS[Number.parseInt(digit, 16)]!)
}

function fromSigns(text: string, from: number): number {
  let number = 0
  for (let at = from; text[at] !== '\n'; at += 1) number = number * 16 + SIGNS.indexOf(text[at]!)
  return number
}

/** Numbers in bytes, one after another. */
class Numbers {
  length = 0
  #bytes = Buffer.allocUnsafe(1 << 16)

  add(number: number): void {
    if (this.length + 8 > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes], 2 * this.#bytes.length)
    let left = number
    for (; left >= 0x80; left = Math.floor(left / 128)) this.#bytes[this.length++] = (left % 128) | 0x80
    this.#bytes[this.length++] = left
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.length)
  }
}
