import { SHAPE_TRIGGER, secretByShape } from './by-shape.ts'
import { CONTEXT_TRIGGER, secretInContext } from './contexts.ts'
import type { Found } from './placeholder.ts'
import { replaceSpans } from './scan.ts'
import { redactStrings } from './strings.ts'

export type { Found } from './placeholder.ts'

/**
 * Replaces every secret in a text by `[REDACTED:<kind>:<hash>]` (docs/redaction.md says what counts as one).
 * The placeholder depends on the secret alone: the same on every machine, at every import, in every place.
 * Idempotent. A text without secrets comes back as it is. `found` has one entry a replacement, in the order of
 * the walk, and never holds a secret. JSON inside the text stays the JSON it was, however often it was escaped.
 */
export function redactText(text: string): { text: string; found: Found[] } {
  const found: Found[] = []
  let redacted = text
  // A secret taken out may lay bare one that was stuck to it; texts made to go on like that are given up on.
  for (let round = 0, before = -1; round < MOST_ROUNDS && found.length > before; round++) {
    before = found.length
    // By shape first: what is found by its surroundings then never swallows a token of known kind.
    redacted = replaceSpans(redacted, SHAPE_TRIGGER, secretByShape, found)
    redacted = replaceSpans(redacted, CONTEXT_TRIGGER, secretInContext, found)
  }
  return { text: redacted, found }
}

const MOST_ROUNDS = 16

/**
 * Redacts every string in a JSON value, keys of objects too; the value of a telling key (`password`, `apiKey`)
 * is judged as in `password: …`. Numbers, the structure and the order of keys stay, and so does the data of an
 * attached picture. What holds no secret is returned as it is, not copied.
 */
export function redactValue<T>(value: T): { value: T; found: Found[] } {
  const found: Found[] = []
  const redact = (text: string): string => {
    const result = redactText(text)
    found.push(...result.found)
    return result.text
  }
  return { value: redactStrings(value, redact, found) as T, found }
}
