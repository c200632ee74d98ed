/** An ordinary word; one with a capital although no sentence begins; one with a digit, a hump or an underscore; two characters. */
type WordKind = typeof PLAIN | typeof CAPITAL | typeof NAME | typeof PAIR
const PLAIN = 0
export const CAPITAL = 1
export const NAME = 2
export const PAIR = 3
/** The end of a sentence, and of one that asks. */
export const END = 4
export const ASKED = 5

/** The words of a text and the ends of its sentences in their order, until the next text is read. */
export interface Words {
  count: number
  /** Of each what it is: a kind of word, or an end. */
  kinds: Uint8Array
  /** Of each word its number; of an end nothing. */
  numbers: Uint32Array
}

const words: Words = { count: 0, kinds: new Uint8Array(0), numbers: new Uint32Array(0) }

/**
 * Reads the words of a text as numbers, which are the same in small letters and capitals (of ASCII). What is written
 * without spaces comes in pairs of neighbouring characters.
 *
 * It reads every word of long conversations, so it looks at character codes, and makes no strings and no objects.
 */
export function wordsOf(text: string): Words {
  const most = 2 * text.length + 2
  if (words.kinds.length < most) {
    words.kinds = new Uint8Array(2 * most)
    words.numbers = new Uint32Array(2 * most)
  }
  const { kinds, numbers } = words
  let count = 0
  let hash = 0
  let length = 0
  let kind: WordKind = PLAIN
  let begins = true
  let before = 0
  for (let at = 0; at <= text.length; at += 1) {
    const unit = at < text.length ? text.charCodeAt(at) : SPACE
    const letter = unit < 0x80 ? ASCII[unit]! : furtherLetter(unit)
    if (letter === LOWER) {
      hash = Math.imul(hash ^ unit, PRIME)
      length += 1
      before = 0
      continue
    }
    if (letter === UPPER || letter === OF_A_NAME) {
      if (letter === OF_A_NAME || length > 0) kind = NAME
      else if (!begins) kind = CAPITAL
      hash = Math.imul(hash ^ (letter === UPPER ? unit | 0x20 : unit), PRIME)
      length += 1
      before = 0
      continue
    }
    if (length > 0) {
      numbers[count] = mixed(hash)
      kinds[count] = kind
      count += 1
      hash = length = 0
      kind = PLAIN
      begins = false
    }
    if (letter === UNSPACED) {
      if (before > 0) {
        numbers[count] = mixed(Math.imul(before, PRIME) ^ unit)
        kinds[count] = PAIR
        count += 1
      }
      before = unit
      begins = false
      continue
    }
    before = 0
    if (unit === SPACE || !endsSentence(unit, at + 1 < text.length ? text.charCodeAt(at + 1) : SPACE))
      continue
    begins = true
    kinds[count] = unit === QUESTION || unit === WIDE_QUESTION ? ASKED : END
    count += 1
  }
  words.count = count
  return words
}

const SPACE = 0x20
const QUESTION = 0x3f
const WIDE_QUESTION = 0xff1f
/** Of FNV-1a, a hash that is known well. */
const PRIME = 0x01000193

/** `.!?` end a sentence before white space; `。！？` and a line break do always. */
function endsSentence(unit: number, next: number): boolean {
  if (unit === 0x2e || unit === 0x21 || unit === QUESTION) return next <= SPACE
  return unit === 0x0a || unit === 0x3002 || unit === 0xff01 || unit === WIDE_QUESTION
}

const [NONE, LOWER, UPPER, OF_A_NAME, UNSPACED] = [0, 1, 2, 3, 4] as const

const ASCII = Uint8Array.from({ length: 0x80 }, (_, unit) => {
  const character = String.fromCharCode(unit)
  if (/[a-z]/.test(character)) return LOWER
  if (/[A-Z]/.test(character)) return UPPER
  return /[0-9_]/.test(character) ? OF_A_NAME : NONE
})

/** Beyond ASCII letters have no capitals here. Japanese, Chinese and Korean are written without spaces. */
function furtherLetter(unit: number): typeof NONE | typeof LOWER | typeof UNSPACED {
  if (unit >= 0x3040 && (unit <= 0x9fff || (unit >= 0xac00 && unit <= 0xd7af))) return UNSPACED
  const isPunctuation = (unit >= 0x2000 && unit < 0x2070) || (unit >= 0x3000 && unit < 0x3040)
  return unit >= 0xc0 && unit < 0xfe00 && !isPunctuation ? LOWER : NONE
}

/** Spreads a number over all bits, so that its low ones tell words apart. */
function mixed(hash: number): number {
  const first = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return (first ^ (first >>> 15)) >>> 0
}
