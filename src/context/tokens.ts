/** Counts tokens of a text; `exact` says whether it is a real tokenizer or an estimate that errs on the high side. */
export interface Tokenizer {
  readonly exact: boolean
  /** With a `limit` counting stops where it is exceeded, and the answer is Infinity. */
  count(text: string, limit?: number): number
}

/** Characters of the longest token of o200k, 128 spaces: a text of more than so many for each token need not be counted. */
export const LONGEST_TOKEN = 128

/**
 * OpenAI's o200k encoding, loaded on first use: it is the yardstick of every budget here. Other vendors' own
 * counts differ by some percent.
 */
export async function o200k(): Promise<Tokenizer> {
  const { countTokens, isWithinTokenLimit } = await import('gpt-tokenizer/encoding/o200k_base')
  // Text that looks like a special token (`<|endoftext|>`) is only text here.
  const options = { disallowedSpecial: new Set<string>() }
  const count = (text: string, limit = Number.POSITIVE_INFINITY): number => {
    if (text.length > limit * LONGEST_TOKEN) return Number.POSITIVE_INFINITY
    let sum = -CUT
    for (const piece of withoutLongRuns(text)) {
      sum += CUT
      // Counting without a limit is faster. A token has at least a byte, a unit of the text at most three.
      const tokens =
        3 * piece.length <= limit - sum
          ? countTokens(piece, options)
          : isWithinTokenLimit(piece, limit - sum, options)
      if (tokens === false) return Number.POSITIVE_INFINITY
      sum += tokens
    }
    return sum
  }
  return { exact: true, count }
}

const WINDOW = 1024
/** Tokens that the whole may have more than two pieces of it: two were seen. */
const CUT = 4
const ONE_KIND = /^(?:[\p{L}\p{M}]+|[^\p{L}\p{N}]+)$/u

/**
 * The encoder takes the square of the length of a run that has no break (a ruler of `=`, a wall of ideographs, a
 * column of `/`): 100,000 of them cost seconds. Such runs are counted in pieces, with a few tokens for each cut: never fewer than
 * there are.
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
 * An estimate for metadata, where loading a tokenizer costs more than the number is worth: a token every three
 * characters of plain text, one for every character outside ASCII.
 */
export const estimate: Tokenizer = {
  exact: false,
  count(text) {
    let wide = 0
    for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 127) wide += 1
    return Math.ceil((text.length - wide) / 3) + wide
  },
}
