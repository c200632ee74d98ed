import { SHAPE_TRIGGER, secretsByShape } from './by-shape.ts'
import { CONTEXT_TRIGGER, secretsInContext } from './contexts/index.ts'
import type { Found } from './placeholder.ts'
import { replaceSpans, type Span, spansIn } from './scan.ts'
import { redactStrings } from './strings.ts'
import { type Unseen, unseenIn } from './unseen-signs.ts'

export type { Found } from './placeholder.ts'

/**
 * Replaces every secret in a text by `[REDACTED:<kind>:<hash>]` (docs/redaction.md says what counts as a secret). The
 * placeholder depends only on the secret, so it is the same on every machine, at every import and in every place. The
 * function is idempotent, and a text without secrets comes back as it is. `found` has one entry for each replacement,
 * in the order of the search, and never contains a secret. JSON inside the text stays valid JSON, however often it was
 * escaped. With `isMeant`, the other secrets stay.
 */
export function redactText(
  text: string,
  isMeant?: (secret: Found) => boolean,
): { text: string; found: Found[] } {
  const found: Found[] = []
  let redacted = text
  // Removing a secret may expose another one next to it, so the search runs again. MAX_ROUNDS ends it for texts that
  // are made to keep it running for ever.
  for (let round = 0, before = -1; round < MAX_ROUNDS && found.length > before; round++) {
    before = found.length
    // The text as it is seen comes first: a colour may be inside a secret.
    let unseen = unseenIn(redacted)
    for (const spansOf of unseen.length === 0 ? [] : [spansByShape, spansInContext]) {
      const seen = replaceSeen(redacted, unseen, spansOf, { found, isMeant })
      if (seen !== redacted) unseen = unseenIn(seen)
      redacted = seen
    }
    // Shapes come first, so that a rule about surroundings never swallows a token of known kind.
    for (const spansOf of [spansByShape, spansInContext])
      redacted = replaceSpans(redacted, spansOf(redacted), found, isMeant)
  }
  return { text: redacted, found }
}

/** Returns a text of the person as a workspace keeps it, without secrets unless its settings turn that off. */
export function cleanText({ redact }: { redact: boolean }, text: string): string {
  return redact ? redactText(text).text : text
}

function spansByShape(text: string): Span[] {
  return spansIn(text, SHAPE_TRIGGER, secretsByShape(text))
}

function spansInContext(text: string): Span[] {
  return spansIn(text, CONTEXT_TRIGGER, secretsInContext(text))
}

/**
 * Replaces the secrets that are found in the text as a person sees it (unseen-signs.ts). What was removed from inside a
 * secret is replaced with it; what was removed before it stays. With `␛` for a code of a colour:
 * * `text`: `␛token=␛hunt␛er2␛`
 * * `seen`: `token=hunter2`, of which `spansOf` finds `hunter2`
 * * the result: `␛token=␛[REDACTED:…]␛`
 */
function replaceSeen(
  text: string,
  unseen: readonly Unseen[],
  spansOf: (text: string) => Span[],
  { found, isMeant }: { found: Found[]; isMeant: ((secret: Found) => boolean) | undefined },
): string {
  let seen = ''
  let done = 0
  for (const { start, end, plain } of unseen) {
    seen += text.slice(done, start) + plain
    done = end
  }
  seen += text.slice(done)
  let next = 0
  let removed = 0
  const skip = () => {
    const { start, end, plain } = unseen[next]!
    removed += end - start - plain.length
    next += 1
  }
  // The place in the text after the first `length` characters that are seen. Called with rising lengths.
  const placeAfter = (length: number): number => {
    while (next < unseen.length && unseen[next]!.start - removed < length) skip()
    return length + removed
  }
  const inText = spansOf(seen).map(({ start, end, kind }) => {
    placeAfter(start)
    // What is removed right before the secret stays.
    while (next < unseen.length && unseen[next]!.start - removed === start && unseen[next]!.plain === '')
      skip()
    return { start: start + removed, end: placeAfter(end), kind, secret: seen.slice(start, end) }
  })
  return replaceSpans(text, inText, found, isMeant)
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
