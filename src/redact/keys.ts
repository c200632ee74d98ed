import type { Span } from './scan.ts'

/**
 * Finds a private key in PEM or PGP armour at `at`, where `-----BEGIN ` stands. Its lines end in line breaks, or in a
 * written `\n` as in JSON. A key without an END line (the head of a file, cut output) ends with its last base64 line.
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
/** This line tells a key from code that only names its two ends. */
const KEY_LINE = /[A-Za-z0-9+/=]{40}/
/** No key contains these characters. Removing text that contains them would break the JSON around it. */
const STRUCTURE = /[[\]{}]/
const LINES = /(?:(?:\s|\\+[nrt]){1,8}(?:[0-9]{1,5}[→|:\t ]{1,4})?[A-Za-z0-9+/=]{40,20000}){1,3000}/y
