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
 * Replaces the secrets that are found only in the text as a person sees it, without terminal colours and invisible
 * signs. Colours and signs may stand between a name and its value, or inside a value; then they are replaced with the
 * value.
 */
function replaceSeen(text: string, spansOf: (text: string) => Span[], found: Found[]): string {
  const seen = text.replace(UNSEEN, '')
  if (seen.length === text.length) return text
  const spans = spansOf(seen)
  if (spans.length === 0) return text
  const cuts = text.matchAll(UNSEEN)
  let cut = cuts.next().value
  let removed = 0
  // The place in the text of a seen character. Called with rising places.
  const placeOf = (at: number): number => {
    for (; cut !== undefined && cut.index - removed <= at; cut = cuts.next().value) removed += cut[0].length
    return at + removed
  }
  const inText = spans.map(({ start, end, kind }) => ({
    start: placeOf(start),
    end: placeOf(end - 1) + 1,
    kind,
    secret: seen.slice(start, end),
  }))
  return replaceSpans(text, inText, found)
}

/** Colours of a terminal, as they are and as JSON or code writes them, and signs without a width. */
const UNSEEN = /(?:\u001b|\\u001b|\\x1b|\\033|\\e)\[[0-9;]{0,20}m|[\u00ad\u200b-\u200d\u2060\ufeff]/gi

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
