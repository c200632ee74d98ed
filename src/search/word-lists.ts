import { LETTERS, UNSPACED_CHARACTERS } from './words.ts'

/**
 * For each word of a text, the lines that contain it. From these lists alone one knows every line that a pattern of
 * `patternOf` (pattern.ts) matches: it matches inside one word, or one or two characters of a script without spaces. So
 * it is enough to search all different words, which are a small part of the text.
 *
 * In bytes: the length of the words (4 bytes), the words, the lists. Each word is followed by the place of its list, in
 * signs that are no letters, and a line break. A list has its length in bytes, then the distance of each line from the
 * one before; all numbers have 7 bits in a byte, low bits first.
 */
export class WordLists {
  readonly #numbers = new Map<string, number>()
  /** For each word, the last line that contains it. */
  readonly #last: number[] = []
  /** The word and the line of each entry, in the order of the lines. */
  #entries = new Uint32Array(1 << 16)
  #length = 0

  /** Adds the words of one line. Lines come in order; a line may come in several parts. */
  add(text: string, line: number): void {
    // Without accents, which a plain text does not have, only ASCII has the same letters in lower case.
    const isPlain = !NOT_ASCII.test(text)
    for (const run of (isPlain ? text.toLowerCase() : text).match(RUNS) ?? []) {
      if (isPlain || !UNSPACED.test(run)) {
        if (run.length <= MAX_LENGTH) this.#enter(run, line)
      } else
        for (let index = 0; index < run.length; index += 1) {
          this.#enter(run[index]!, line)
          if (index > 0) this.#enter(run.slice(index - 1, index + 1), line)
        }
    }
  }

  /** Puts a line on a list of its own, which `linesWith` has on request. */
  mark(line: number): void {
    this.#enter('', line)
  }

  toBytes(): Buffer {
    const words = [...this.#numbers.keys()]
    // The entries sorted by word; those of a word stay in the order of the lines.
    const starts = new Uint32Array(words.length + 1)
    for (let at = 0; at < this.#length; at += 2) starts[this.#entries[at]! + 1]! += 1
    for (let word = 0; word < words.length; word += 1) starts[word + 1]! += starts[word]!
    const sorted = new Uint32Array(this.#length / 2)
    const next = starts.slice()
    for (let at = 0; at < this.#length; at += 2) {
      const word = this.#entries[at]!
      sorted[next[word]!] = this.#entries[at + 1]!
      next[word]! += 1
    }
    const lists = new Numbers()
    const named = words.map((word, number) => {
      const place = lists.length
      const lines = sorted.subarray(starts[number], starts[number + 1])
      lists.add(lines.length)
      let before = 0
      for (const line of lines) {
        lists.add(line - before)
        before = line
      }
      return `${word}${inSigns(place)}`
    })
    const dictionary = Buffer.from(`${named.join('\n')}\n`)
    const length = Buffer.alloc(4)
    length.writeUInt32LE(dictionary.length)
    return Buffer.concat([length, dictionary, lists.bytes()])
  }

  #enter(word: string, line: number): void {
    let number = this.#numbers.get(word)
    if (number === undefined) {
      number = this.#numbers.size
      // A copy of the word, because a slice would keep the whole text in memory.
      this.#numbers.set(Buffer.from(word).toString(), number)
      this.#last.push(-1)
    }
    if (this.#last[number] === line) return
    this.#last[number] = line
    if (this.#length === this.#entries.length) {
      const larger = new Uint32Array(2 * this.#length)
      larger.set(this.#entries)
      this.#entries = larger
    }
    this.#entries[this.#length++] = number
    this.#entries[this.#length++] = line
  }
}

const NOT_ASCII = /[^\0-\x7f]/
const UNSPACED = new RegExp(`^[${UNSPACED_CHARACTERS}]`)
const RUNS = new RegExp(`[${LETTERS}]+|[${UNSPACED_CHARACTERS}]+`, 'g')
/** Longer words are not found (meaning.ts). One letter more may be that of an escape. */
const MAX_LENGTH = 130

/**
 * Marks in `lines` each line with a word that `pattern` matches, and with `marked` each that was marked. `bytes` are
 * those of `WordLists`. `pattern` is global.
 */
export function linesWith(bytes: Buffer, pattern: RegExp, lines: Uint8Array, { marked = false } = {}): void {
  const end = 4 + bytes.readUInt32LE(0)
  const words = bytes.subarray(4, end)
  const text = words.toString()
  if (marked && SIGNS.includes(text[0]!)) setLines(bytes, end + fromSigns(text, 0), lines)
  pattern.lastIndex = 0
  while (pattern.test(text)) {
    let at = pattern.lastIndex
    while (!SIGNS.includes(text[at]!)) at += 1
    setLines(bytes, end + fromSigns(text, at), lines)
    pattern.lastIndex = text.indexOf('\n', at)
  }
}

function setLines(bytes: Buffer, offset: number, lines: Uint8Array): void {
  let [at, line] = [offset, 0]
  const read = () => {
    let [number, shift, byte] = [0, 0, 0]
    do {
      byte = bytes[at++]!
      number += (byte & 0x7f) * 2 ** shift
      shift += 7
    } while (byte >= 0x80)
    return number
  }
  for (let left = read(); left > 0; left -= 1) {
    line += read()
    lines[line] = 1
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
