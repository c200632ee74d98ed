import { SHAPE_TRIGGER, secretsByShape } from './by-shape.ts'
import { CONTEXT_TRIGGER, secretsInContext } from './contexts/index.ts'
import type { Found } from './placeholder.ts'
import { replaceSpans, type Span, spansIn } from './scan.ts'
import { redactStrings } from './strings.ts'

export type { Found } from './placeholder.ts'

/**
 * Replaces every secret in a text by `[REDACTED:<kind>:<hash>]` (docs/redaction.md says what counts as a secret). The
 * placeholder depends only on the secret, so it is the same on every machine, at every import and in every place. The
 * function is idempotent, and a text without secrets comes back as it is. `found` has one entry for each replacement,
 * in the order of the search, and never contains a secret. JSON inside the text stays valid JSON, however often it was
 * escaped.
 */
export function redactText(text: string): { text: string; found: Found[] } {
  const found: Found[] = []
  let redacted = text
  // Removing a secret may expose another one next to it, so the search runs again. MAX_ROUNDS ends it for texts that
  // are made to keep it running for ever.
  for (let round = 0, before = -1; round < MAX_ROUNDS && found.length > before; round++) {
    before = found.length
    // The text as it is seen comes first: a colour may be inside a secret.
    if (redacted.search(UNSEEN) !== -1)
      for (const spansOf of [spansByShape, spansInContext]) redacted = replaceSeen(redacted, spansOf, found)
    // Shapes come first, so that a rule about surroundings never swallows a token of known kind.
    for (const spansOf of [spansByShape, spansInContext])
      redacted = replaceSpans(redacted, spansOf(redacted), found)
  }
  return { text: redacted, found }
}

function spansByShape(text: string): Span[] {
  return spansIn(text, SHAPE_TRIGGER, secretsByShape(text))
}

function spansInContext(text: string): Span[] {
  return spansIn(text, CONTEXT_TRIGGER, secretsInContext(text))
}

/**
 * Replaces the secrets that are found in the text as a person sees it: without terminal colours and invisible signs,
 * and with plain signs for the others that look the same or that XML writes. What was removed from inside a secret is
 * replaced with it.
 */
function replaceSeen(text: string, spansOf: (text: string) => Span[], found: Found[]): string {
  const seen = text.replace(UNSEEN, plainSign)
  const spans = spansOf(seen)
  if (spans.length === 0) return text
  const signs = text.matchAll(UNSEEN)
  let sign = signs.next().value
  let removed = 0
  // The place in the text after the first `length` characters that are seen. Called with rising lengths.
  const placeAfter = (length: number): number => {
    for (; sign !== undefined && sign.index - removed < length; sign = signs.next().value)
      removed += sign[0].length - plainSign(sign[0]).length
    return length + removed
  }
  const inText = spans.map(({ start, end, kind }) => {
    placeAfter(start)
    // What is removed right before the secret stays.
    while (sign !== undefined && sign.index - removed === start && plainSign(sign[0]) === '') {
      removed += sign[0].length
      sign = signs.next().value
    }
    return { start: start + removed, end: placeAfter(end), kind, secret: seen.slice(start, end) }
  })
  return replaceSpans(text, inText, found)
}

/**
 * Colours of a terminal, as they are and as JSON or code writes them; signs without a width; signs of XML; and signs
 * that look like another one.
 */
const UNSEEN =
  /(?:\u001b|\\u001b|\\x1b|\\033|\\e)\[[0-9;]{0,20}[mK]|[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|&(?:quot|apos|lt|gt|amp|nbsp|#34|#39|#x27);|[\u00a0\u202f\u3000：＝]/gi

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
  '：': ':',
  '＝': '=',
}

function plainSign(sign: string): string {
  return PLAIN_SIGNS[sign.toLowerCase()] ?? ''
}

const MAX_ROUNDS = 16

/**
 * Redacts every string in a JSON value, object keys included. The value of a key that announces a secret (`password`,
 * `apiKey`) is judged as in `password: …`. Numbers, structure, the order of keys and the data of an attached picture
 * stay as they are. A value without secrets is returned as it is, not copied.
 */
export function redactValue<T>(value: T): { value: T; found: Found[] } {
  const found: Found[] = []
  const redact = (text: string): string => {
    const result = redactText(text)
    // A spread would put every entry on the stack, which is too small for a hundred thousand entries.
    for (const entry of result.found) found.push(entry)
    return result.text
  }
  return { value: redactStrings(value, redact, found) as T, found }
}
