/** An ordinary word; one with a capital although no sentence begins; one with a digit, a hump or an underscore; two characters. */
export type WordKind = typeof PLAIN | typeof CAPITAL | typeof NAME | typeof PAIR
const PLAIN = 0
export const CAPITAL = 1
export const NAME = 2
export const PAIR = 3

/**
 * Tells each word of a text as a number, which is the same in small letters and capitals (of ASCII). What is written
 * without spaces comes in pairs of neighbouring characters. `sentenceEnds` is told of each end of a sentence, and whether
 * it asks.
 *
 * It reads every word of long conversations, so it looks at character codes and makes no strings.
 */
export function eachWord(
  text: string,
  word: (word: number, kind: WordKind) => void,
  sentenceEnds: (isQuestion: boolean) => void = () => {},
): void {
  let hash = 0
  let length = 0
  let kind: WordKind = PLAIN
  let begins = true
  let before = 0
  for (let at = 0; at <= text.length; at += 1) {
    const unit = at < text.length ? text.charCodeAt(at) : SPACE
    const pairs = isUnspaced(unit)
    if (!pairs && isWord(unit)) {
      const capital = isCapital(unit)
      if (unit === UNDERSCORE || isDigit(unit) || (capital && length > 0)) kind = NAME
      else if (capital && !begins) kind = CAPITAL
      hash = Math.imul(hash ^ (capital ? unit | 0x20 : unit), PRIME)
      length += 1
      before = 0
      continue
    }
    if (length > 0) {
      word(mixed(hash), kind)
      hash = length = 0
      kind = PLAIN
      begins = false
    }
    if (pairs) {
      if (before > 0) word(mixed(Math.imul(before, PRIME) ^ unit), PAIR)
      before = unit
      begins = false
      continue
    }
    before = 0
    if (!endsSentence(unit, at + 1 < text.length ? text.charCodeAt(at + 1) : SPACE)) continue
    begins = true
    sentenceEnds(unit === QUESTION || unit === WIDE_QUESTION)
  }
}

const SPACE = 0x20
const UNDERSCORE = 0x5f
const QUESTION = 0x3f
const WIDE_QUESTION = 0xff1f
/** Of FNV-1a, a hash that is known well. */
const PRIME = 0x01000193

/** `.!?` end a sentence before white space; `。！？` and a line break do always. */
function endsSentence(unit: number, next: number): boolean {
  if (unit === 0x2e || unit === 0x21 || unit === QUESTION) return next <= SPACE
  return unit === 0x0a || unit === 0x3002 || unit === 0xff01 || unit === WIDE_QUESTION
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39
}

function isCapital(unit: number): boolean {
  return unit >= 0x41 && unit <= 0x5a
}

function isWord(unit: number): boolean {
  if (unit < 0x80)
    return (unit >= 0x61 && unit <= 0x7a) || isCapital(unit) || isDigit(unit) || unit === UNDERSCORE
  const isPunctuation = (unit >= 0x2000 && unit < 0x2070) || (unit >= 0x3000 && unit < 0x3040)
  return unit >= 0xc0 && unit < 0xfe00 && !isPunctuation
}

/** Japanese, Chinese and Korean characters. */
function isUnspaced(unit: number): boolean {
  return unit >= 0x3040 && (unit <= 0x9fff || (unit >= 0xac00 && unit <= 0xd7af))
}

/** Spreads a number over all bits, so that its low ones tell words apart. */
function mixed(hash: number): number {
  const first = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return (first ^ (first >>> 15)) >>> 0
}
