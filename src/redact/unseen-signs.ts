import { changesOf, isRandom } from './random.ts'

/** Characters of a text that a person does not see, or sees as `plain`. */
export interface Unseen {
  start: number
  end: number
  plain: string
}

/**
 * Finds what stands between a text and the text as a person sees it, in the order of the text: colours of a terminal,
 * as they are and as JSON or code writes them; signs without a width; signs of XML; signs that look like another one;
 * and line breaks with which a terminal has wrapped a long word.
 */
export function unseenIn(text: string): Unseen[] {
  const signs = Array.from(text.matchAll(isEncoded(text) ? SIGN_IN_URL : SIGN), ({ index, 0: sign }) => ({
    ...{ start: index, end: index + sign.length, plain: PLAIN_SIGNS[sign.toLowerCase()] ?? '' },
  }))
  const wraps = wrapsIn(text)
  return wraps.length === 0 ? signs : [...signs, ...wraps].sort((a, b) => a.start - b.start)
}

const SIGN =
  /(?:\u001b|\\u001b|\\x1b|\\033|\\e)\[[0-9;]{0,20}[mK]|[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|&(?:quot|apos|lt|gt|amp|nbsp|#34|#39|#x27);|[\u00a0\u202f\u3000：＝]/gi

/** JSON or a query that a URL has encoded. */
const ENCODED = /%22(?:%3A|%20)|(?:token|key|secret|password|passwd|pwd)%3D/i
/** This looks through the whole text, once for a text and not at each place in it. */
function isEncoded(whole: string): boolean {
  return (whole.includes('%22') || whole.includes('%3D')) && ENCODED.test(whole)
}

const SIGN_IN_URL = new RegExp(`${SIGN.source}|%(?:22|3A|2C|7B|7D|26|3D(?=[^%&\\s]{4}))`, 'gi')

const PLAIN_SIGNS: Record<string, string> = {
  '&quot;': '"',
  '&#34;': '"',
  '&apos;': "'",
  '&#39;': "'",
  '&#x27;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&nbsp;': ' ',
  '\u00a0': ' ',
  '\u202f': ' ',
  '\u3000': ' ',
  '%22': '"',
  '%3a': ':',
  '%2c': ',',
  '%7b': '{',
  '%7d': '}',
  '%26': '&',
  '%3d': '=',
  '：': ':',
  '＝': '=',
}

/**
 * People paste what a terminal shows, and some programs copy it with a line break wherever a line was full. Such a
 * break is inside a word, after a long line, and the word goes on with random letters.
 */
function wrapsIn(text: string): Unseen[] {
  const wraps: Unseen[] = []
  for (const { index, 1: rest } of text.matchAll(LINE_BEGIN)) {
    const start = text[index - 1] === '\r' ? index - 1 : index
    const before = text.slice(Math.max(0, start - MIN_WIDTH), start)
    if (before.length < MIN_WIDTH || before.includes('\n')) continue
    const word = before.split(NO_WORD).at(-1)!
    if (word === '' || (OWN_BEGIN.test(rest!) && !word.endsWith('.'))) continue
    if (isRest(rest!.slice(0, MAX_JUDGED), word)) wraps.push({ start, end: index + 1, plain: '' })
  }
  return wraps
}

/** People seldom make a terminal narrower. Lines that a person breaks are shorter. */
const MIN_WIDTH = 60
const MAX_JUDGED = 200
/** The word at the beginning of a line, up to a space, a quote or the like. A prompt such as `ann@host` does not match. */
const LINE_BEGIN = /\n([\w.+/%-]{4,}={0,2})(?=[\s"'`&;,)}\]]|$)/g
const NO_WORD = /[^\w.+/=%-]/
/** A web token of its own. */
const OWN_BEGIN = /^eyJ/

/** Whether letters at the beginning of a line look like the rest of a word: `step1` and `2026-11-25` do not. */
function isRest(letters: string, word: string): boolean {
  if (letters.length >= 12) return isRandom(letters)
  if (!isRandom(word) || !/[0-9]/.test(letters) || !/[a-z]/i.test(letters)) return false
  return /^[0-9a-f]+$/i.test(letters) || changesOf(letters.replace(/[^A-Za-z0-9]/g, '')) >= 0.3
}
