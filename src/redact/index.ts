import { SHAPE_TRIGGER, secretsByShape } from './by-shape.ts'
import { CONTEXT_TRIGGER, secretsInContext } from './contexts/index.ts'
import type { Found } from './placeholder.ts'
import { replaceSpans } from './scan.ts'
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
    // Shapes come first, so that a rule about surroundings never swallows a token of known kind.
    redacted = replaceSpans(redacted, SHAPE_TRIGGER, secretsByShape(redacted), found)
    redacted = replaceSpans(redacted, CONTEXT_TRIGGER, secretsInContext(redacted), found)
  }
  return { text: redacted, found }
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
    // A spread would put every entry on the stack, which is too small for a hundred thousand.
    for (const entry of result.found) found.push(entry)
    return result.text
  }
  return { value: redactStrings(value, redact, found) as T, found }
}
