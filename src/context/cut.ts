import type { Tokenizer } from './tokens.ts'

const MARKER = '\n[… cut …]\n'

/**
 * The head and the tail of a text around a marker, at most `limit` tokens; the text itself if it fits, '' if the
 * limit leaves no room. Never inside a character.
 */
export function cutToTokens(text: string, limit: number, tokenizer: Tokenizer): string {
  if (limit <= 0) return ''
  if (text.length <= limit * 16 && tokenizer.count(text) <= limit) return text
  const characters = [...text.slice(0, limit * 8), ...text.slice(-limit * 8)]
  let low = 0
  let high = characters.length
  let best = ''
  while (low <= high) {
    const keep = (low + high) >> 1
    const head = characters.slice(0, Math.ceil(keep / 2)).join('')
    const tail = keep < 2 ? '' : characters.slice(-Math.floor(keep / 2)).join('')
    const cut = wellFormed(`${head}${MARKER}${tail}`)
    if (tokenizer.count(cut) <= limit) {
      best = cut
      low = keep + 1
    } else high = keep - 1
  }
  return best
}

/** Slicing by UTF-16 units can leave half a character at a seam. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '')
}
