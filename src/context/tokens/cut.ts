import { wholeCharacters } from '../../text/whole-characters.ts'
import type { Tokenizer } from './index.ts'

/**
 * The marker ends with a space, because the tail may begin in the middle of a recorded line. Each recorded line of a
 * context begins with a space (`indent`).
 */
export const CUT_MARKER = '\n[… cut …]\n '

/**
 * The first cut assumes this ratio. Its token count gives the real ratio. The second cut keeps `SAFETY_FACTOR` of what
 * fits at the real ratio.
 */
const CHARACTERS_PER_TOKEN = 4
const SAFETY_FACTOR = 0.99

/**
 * Cuts a text to its head and tail around a marker, in at most `limit` tokens. Returns the text itself if it fits, and
 * '' if the limit leaves no room. Never cuts inside a character.
 */
export function cutToTokens(text: string, limit: number, tokenizer: Tokenizer): string {
  if (limit <= 0) return ''
  if (tokenizer.count(text, limit) <= limit) return text
  const probe = headAndTail(text, limit * CHARACTERS_PER_TOKEN)
  let keep = (limit * CHARACTERS_PER_TOKEN * limit * SAFETY_FACTOR) / tokenizer.count(probe)
  while (keep >= 2) {
    const cut = headAndTail(text, keep)
    if (tokenizer.count(cut, limit) <= limit) return cut
    keep *= 0.97
  }
  return ''
}

function headAndTail(text: string, keep: number): string {
  const half = Math.floor(Math.min(keep, text.length - 1) / 2)
  return `${wholeCharacters(text.slice(0, half))}${CUT_MARKER}${wholeCharacters(text.slice(text.length - half))}`
}
