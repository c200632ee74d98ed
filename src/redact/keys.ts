import type { Span } from './scan.ts'

/**
 * A private key in PEM or PGP armour at `at`, where `-----BEGIN ` stands: as lines, or with `\n` written out, as
 * JSON has it. With no END line (a file's head, a cut output) the key reaches as far as its base64 lines do.
 */
export function privateKeyAt(text: string, at: number): Span | undefined {
  HEADER.lastIndex = at
  if (!HEADER.test(text)) return undefined
  const bodyStart = HEADER.lastIndex
  const footerStart = text.indexOf('-----', bodyStart)
  const body = text.slice(bodyStart, Math.max(footerStart, bodyStart))
  if (footerStart >= 0 && KEY_LINE.test(body) && !STRUCTURE.test(body)) {
    FOOTER.lastIndex = footerStart
    if (FOOTER.test(text)) return { start: at, end: FOOTER.lastIndex, kind: 'private-key' }
  }
  LINES.lastIndex = bodyStart
  return LINES.test(text) ? { start: at, end: LINES.lastIndex, kind: 'private-key' } : undefined
}

const HEADER = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y
const FOOTER = /-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y
/** Distinguishes a key from code that names its two ends. */
const KEY_LINE = /[A-Za-z0-9+/=]{40}/
/** No key has these; JSON that was cut out between two of them would be JSON no more. */
const STRUCTURE = /[[\]{}]/
const LINES = /(?:(?:\s|\\+[nrt]){1,8}(?:[0-9]{1,5}[→|:\t ]{1,4})?[A-Za-z0-9+/=]{40,20000}){1,3000}/y
