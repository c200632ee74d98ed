/** Counts the tokens of a text. */
export interface Tokenizer {
  /** Infinity when there are more than `limit`: counting stops there. An estimate may ignore the limit. */
  count(text: string, limit?: number): number
}

/**
 * Characters of the longest token of o200k, which consists of spaces. A text with more than `limit * LONGEST_TOKEN`
 * characters has more than `limit` tokens, so it need not be counted.
 */
export const LONGEST_TOKEN = 128

/**
 * Returns a lower bound for the tokens of a text: the number of ASCII letters right after white space. o200k begins a
 * token at each of them. This is far quicker than counting tokens. 0 for a text with control characters, because these
 * may be removed before the text is shown.
 */
export function leastTokens(text: string): number {
  let words = 0
  let isBehindSpace = false
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    const isSpace = unit === 0x20 || unit === 0x09 || unit === 0x0a || unit === 0x0d
    if (!isSpace && (unit < 0x20 || (unit >= 0x7f && unit < 0xa0))) return 0
    const letter = unit | 0x20
    if (isBehindSpace && letter >= 0x61 && letter <= 0x7a) words += 1
    isBehindSpace = isSpace
  }
  return words
}

/**
 * Loads OpenAI's o200k encoding. Every budget is measured in its tokens. The counts of other vendors differ by some
 * percent.
 */
export async function o200k(): Promise<Tokenizer> {
  const { countTokens, isWithinTokenLimit } = await import('gpt-tokenizer/encoding/o200k_base')
  // Text that looks like a special token (`<|endoftext|>`) counts as plain text.
  const options = { disallowedSpecial: new Set<string>() }
  const count = (text: string, limit = Number.POSITIVE_INFINITY): number => {
    if (text.length > limit * LONGEST_TOKEN) return Number.POSITIVE_INFINITY
    let sum = -TOKENS_PER_CUT
    for (const piece of withoutLongRuns(text)) {
      sum += TOKENS_PER_CUT
      // Counting without a limit is faster. It is used for short pieces, and for pieces that cannot exceed the limit: a
      // token has at least one byte, and a UTF-16 unit has at most three bytes.
      const tokens =
        piece.length <= SHORT_PIECE || 3 * piece.length <= limit - sum
          ? countTokens(piece, options)
          : isWithinTokenLimit(piece, limit - sum, options)
      if (tokens === false || sum + tokens > limit) return Number.POSITIVE_INFINITY
      sum += tokens
    }
    return sum
  }
  return { count }
}

const SHORT_PIECE = 4096
/** A long run of letters or of signs is cut after this many characters. */
const RUN = 1024
/** A text that is cut in two may have this many tokens more than its two pieces together; at most 2 more were seen. */
const TOKENS_PER_CUT = 4
const ONE_KIND = /^(?:[\p{L}\p{M}]+|[^\p{L}\p{N}]+)$/u

/**
 * Splits a text after long runs of letters or of signs, such as a ruler of `=`. The encoder's time grows with the
 * square of the length of such a run: 100,000 characters take seconds. `TOKENS_PER_CUT` is added for each cut, so that
 * the count is never too low.
 */
function* withoutLongRuns(text: string): Generator<string> {
  let start = 0
  for (let index = 0; index + RUN <= text.length; index += RUN) {
    if (!ONE_KIND.test(text.slice(index, index + RUN))) continue
    yield text.slice(start, index + RUN)
    start = index + RUN
  }
  yield text.slice(start)
}

/**
 * Estimates tokens for metadata, for which loading a tokenizer would take too long. Adds up words, groups of three
 * digits, and marks. The result differs from o200k by at most a quarter in prose, code, JSON, base64 and the larger
 * scripts. It is mostly above o200k.
 */
export const estimate: Tokenizer = {
  count(text) {
    if (text.length <= 4 * SAMPLE) return Math.ceil(tokensIn(text, 0, text.length))
    let sum = 0
    let read = 0
    for (let start = 0; start < text.length; start += 4 * SAMPLE) {
      const end = Math.min(start + SAMPLE, text.length)
      sum += tokensIn(text, start, end)
      read += end - start
    }
    return Math.ceil((sum * text.length) / read)
  },
}

/** Of each four pieces of a long text, of this many characters each, only the first is read. */
const SAMPLE = 1024

const [LOWER, UPPER, DIGIT, SPACE, NEWLINE, MARK, LETTER, WIDE, HANGUL, SURROGATE] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
] as const
/** Tokens of the first character in a run of characters of one kind; by kind. */
const FIRST_TOKENS = Float64Array.of(0.94, 0.85, 1, 0.1, 0.5, 0.86, 0.4, 0.8, 0.6, 1)
/** So many characters come next. */
const NEXT = 6
/** Tokens of each of the next characters of the run; by kind. */
const NEXT_TOKENS = Float64Array.of(0.05, 0.85, 0, 0.2, 0.2, 0.35, 0.2, 0.75, 0.5, 1)
/** Tokens of each further character of the run; by kind. */
const FURTHER_TOKENS = Float64Array.of(0.2, 0.85, 0, 0.01, 0.1, 0.04, 0.2, 0.75, 0.5, 1)
/** Kinds after which a small letter continues a word: capitals, and letters that are not ASCII. */
const CONTINUES_WORD = Uint8Array.of(0, 1, 0, 0, 0, 0, 1, 0, 0, 0)
const CONTINUED_WORD = 0.35

function tokensIn(text: string, start: number, end: number): number {
  let sum = 0
  let last: number = NEWLINE
  /** How many characters of the same kind come right before this one. */
  let before = 0
  for (let index = start; index < end; index += 1) {
    const kind = kindOf(text.charCodeAt(index))
    before = kind === last ? before + 1 : 0
    if (kind !== last) sum += kind === LOWER && CONTINUES_WORD[last] ? CONTINUED_WORD : FIRST_TOKENS[kind]!
    else if (kind === DIGIT) sum += before % 3 === 0 ? 1 : 0
    else sum += before <= NEXT ? NEXT_TOKENS[kind]! : FURTHER_TOKENS[kind]!
    last = kind
  }
  return sum
}

const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[a-z]/.test(character)) return LOWER
  if (/[A-Z]/.test(character)) return UPPER
  if (/\d/.test(character)) return DIGIT
  return character === '\n' ? NEWLINE : /\s/.test(character) ? SPACE : MARK
})

/**
 * Returns the kind of a UTF-16 unit: from the table for ASCII, else by its range. Beyond ASCII there are letters of
 * scripts with words, wide characters, Hangul, and surrogates.
 */
function kindOf(code: number): number {
  if (code < 128) return ASCII[code]!
  if (code < 0x1100) return LETTER
  if (code < 0xac00) return WIDE
  return code < 0xd800 ? HANGUL : code < 0xe000 ? SURROGATE : WIDE
}
