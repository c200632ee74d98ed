import { wholeCharacters } from '../../text/whole-characters.ts'
import type { Tokenizer } from './index.ts'

const MARKER = '\n[… cut …]\n'

/**
 * The first try assumes this many characters for each token. The next one uses this part of the room that the first try
 * shows. So two or three counts are enough.
 */
const CHARACTERS_PER_TOKEN = 4
const CAUTION = 0.99

/**
 * The head and the tail of a text around a marker, in at most `limit` tokens. The text itself if it fits; '' if the
 * limit leaves no room. Never cuts inside a character.
 */
export function cutToTokens(text: string, limit: number, tokenizer: Tokenizer): string {
  if (limit <= 0) return ''
  if (tokenizer.count(text, limit) <= limit) return text
  const probe = headAndTail(text, limit * CHARACTERS_PER_TOKEN)
  let keep = (limit * CHARACTERS_PER_TOKEN * limit * CAUTION) / tokenizer.count(probe)
  while (keep >= 2) {
    const cut = headAndTail(text, keep)
    if (tokenizer.count(cut, limit) <= limit) return cut
    keep *= 0.97
  }
  return ''
}

function headAndTail(text: string, keep: number): string {
  const half = Math.floor(Math.min(keep, text.length - 1) / 2)
  return `${wholeCharacters(text.slice(0, half))}${MARKER}${wholeCharacters(text.slice(text.length - half))}`
}
