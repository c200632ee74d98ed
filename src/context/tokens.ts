/** Counts tokens of a text; `exact` says whether it is a real tokenizer or an estimate that errs on the high side. */
export interface Tokenizer {
  readonly exact: boolean
  count(text: string): number
}

/**
 * OpenAI's o200k encoding, loaded on first use: it is the yardstick of every budget here. Other vendors' own
 * counts differ by some percent.
 */
export async function o200k(): Promise<Tokenizer> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  // Text that looks like a special token (`<|endoftext|>`) is only text here.
  const options = { disallowedSpecial: new Set<string>() }
  return { exact: true, count: (text) => countTokens(text, options) }
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
