/** Counts the tokens of a text. `exact` says whether this is a real tokenizer or an estimate. */
export interface Tokenizer {
  readonly exact: boolean
  /** With a `limit`, counting stops when it is exceeded and the answer is Infinity. */
  count(text: string, limit?: number): number
}

/**
 * The longest token of o200k has 128 characters (spaces). A text with more characters than this for each token of the
 * limit need not be counted.
 */
export const LONGEST_TOKEN = 128

/**
 * A number of tokens that a text has at least, which takes far less than counting them: where a letter stands behind white
 * space, o200k begins a token. 0 for a text with control characters, of which less may be shown than it holds.
 */
export function leastTokens(text: string): number {
  let words = 0
  let isBehindSpace = false
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    const isSpace = unit === 0x20 || unit === 0x09 || unit === 0x0a || unit === 0x0d
    if (!isSpace && (unit < 0x20 || (unit >= 0x7f && unit < 0xa0))) return 0
    const letter = unit | 0x20
    if (isBehindSpace && letter >= 0x61 && letter <= 0x7a) words += 1
    isBehindSpace = isSpace
  }
  return words
}

/**
 * OpenAI's o200k encoding, loaded on first use. Every budget here is measured in it. The counts of other vendors differ
 * by some percent.
 */
export async function o200k(): Promise<Tokenizer> {
  const { countTokens, isWithinTokenLimit } = await import('gpt-tokenizer/encoding/o200k_base')
  // Text that looks like a special token (`<|endoftext|>`) counts as plain text.
  const options = { disallowedSpecial: new Set<string>() }
  const count = (text: string, limit = Number.POSITIVE_INFINITY): number => {
    if (text.length > limit * LONGEST_TOKEN) return Number.POSITIVE_INFINITY
    let sum = -CUT
    for (const piece of withoutLongRuns(text)) {
      sum += CUT
      // Counting without a limit is faster: of a short piece, or one that cannot pass it, since a token has at least one
      // byte and a unit of the text at most three.
      const tokens =
        piece.length <= SHORT || 3 * piece.length <= limit - sum
          ? countTokens(piece, options)
          : isWithinTokenLimit(piece, limit - sum, options)
      if (tokens === false || sum + tokens > limit) return Number.POSITIVE_INFINITY
      sum += tokens
    }
    return sum
  }
  return { exact: true, count }
}

const SHORT = 4096
const WINDOW = 1024
/** A whole text may have this many tokens more than its two pieces; two were seen. */
const CUT = 4
const ONE_KIND = /^(?:[\p{L}\p{M}]+|[^\p{L}\p{N}]+)$/u

/**
 * The encoder's time grows with the square of a run that has no break (a ruler of `=`, a wall of ideographs, a column
 * of `/`): 100,000 characters cost seconds. Such runs are counted in pieces, and a few tokens are added for each cut,
 * so that the count is never too low.
 */
function* withoutLongRuns(text: string): Generator<string> {
  let start = 0
  for (let at = 0; at + WINDOW <= text.length; at += WINDOW) {
    if (!ONE_KIND.test(text.slice(at, at + WINDOW))) continue
    yield text.slice(start, at + WINDOW)
    start = at + WINDOW
  }
  yield text.slice(start)
}

/**
 * An estimate for metadata, where loading a tokenizer costs more than the number is worth. It adds up what tokens are
 * made of: words, groups of three digits, marks. For prose, code, JSON, base64 and the larger scripts it is within a
 * quarter of o200k, and mostly above it.
 */
export const estimate: Tokenizer = {
  exact: false,
  count(text) {
    // Only a quarter of a long text is read, spread over its length.
    if (text.length <= 4 * WINDOW) return Math.ceil(tokensIn(text, 0, text.length))
    let sum = 0
    let looked = 0
    for (let start = 0; start < text.length; start += 4 * WINDOW) {
      const end = Math.min(start + WINDOW, text.length)
      sum += tokensIn(text, start, end)
      looked += end - start
    }
    return Math.ceil((sum * text.length) / looked)
  },
}

function tokensIn(text: string, start: number, end: number): number {
  let sum = 0
  let last: number = NEWLINE
  let length = 0
  for (let index = start; index < end; index += 1) {
    const kind = kindOf(text.charCodeAt(index))
    length = kind === last ? length + 1 : 0
    if (kind !== last) sum += kind === LOWER && GOES_ON[last] ? WORD_GOES_ON : FIRST[kind]!
    else if (kind === DIGIT) sum += length % 3 === 0 ? 1 : 0
    else sum += length < LONG ? NEXT[kind]! : FURTHER[kind]!
    last = kind
  }
  return sum
}

const [LOWER, UPPER, DIGIT, SPACE, NEWLINE, MARK, LETTER, WIDE, HANGUL, HALF] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
] as const
/** Tokens of the first character of a kind, of the following ones, and of those from the eighth on. */
const FIRST = Float64Array.of(0.94, 0.85, 1, 0.1, 0.5, 0.86, 0.4, 0.8, 0.6, 1)
const NEXT = Float64Array.of(0.05, 0.85, 0, 0.2, 0.2, 0.35, 0.2, 0.75, 0.5, 1)
const FURTHER = Float64Array.of(0.2, 0.85, 0, 0.01, 0.1, 0.04, 0.2, 0.75, 0.5, 1)
const LONG = 7
/** A small letter after one of these continues a word: after a capital, or a letter that is not ASCII. */
const GOES_ON = Uint8Array.of(0, 1, 0, 0, 0, 0, 1, 0, 0, 0)
const WORD_GOES_ON = 0.35

const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[a-z]/.test(character)) return LOWER
  if (/[A-Z]/.test(character)) return UPPER
  if (/\d/.test(character)) return DIGIT
  return character === '\n' ? NEWLINE : /\s/.test(character) ? SPACE : MARK
})

/**
 * The kind of an ASCII character comes from the table. Beyond ASCII there are letters of scripts with words, halves of
 * a surrogate pair, and the rest.
 */
function kindOf(code: number): number {
  if (code < 128) return ASCII[code]!
  if (code < 0x1100) return LETTER
  if (code < 0xac00) return WIDE
  return code < 0xd800 ? HANGUL : code < 0xe000 ? HALF : WIDE
}
