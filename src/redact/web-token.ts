import { isUrlLetter, Runs } from './runs.ts'
import type { Span } from './scan.ts'

/**
 * Finds signed and encrypted web tokens (JWT, JWE): three or five parts of base64url, separated by dots; the first part
 * is a JSON object. Each part has Runs of its own, so that a text with many possible beginnings and no dot is read only
 * once.
 */
export function webTokens(text: string): (offset: number) => Span | undefined {
  const parts = Array.from({ length: 5 }, () => new Runs(text, isUrlLetter))
  return (offset) => {
    if (isInsideWord(text, offset)) return undefined
    const lengths: number[] = []
    let from = offset
    for (const part of parts) {
      const end = part.endAt(from)
      lengths.push(end - from)
      if (text[end] !== '.') break
      from = end + 1
    }
    const [header = 0, second = 0, third = 0, fourth = 0, fifth = 0] = lengths
    if (header < 11 || header > MAX_HEADER_LENGTH || !isJson(text, offset)) return undefined
    // The key of an encrypted token, its second part, may be empty. The first three parts of such a token may look like
    // a signed token.
    if (lengths.length === 5 && third >= 10 && fourth >= 10 && fifth >= 10)
      return span(offset, header + second + third + fourth + fifth + 4, 'jwe')
    return second >= 8 && third >= 16 ? span(offset, header + second + third + 2, 'jwt') : undefined
  }
}

const MAX_HEADER_LENGTH = 4000

function isInsideWord(text: string, offset: number): boolean {
  BEFORE.lastIndex = offset
  return BEFORE.test(text)
}

/** A letter or digit before the token, unless it ends an escape or a terminal colour. */
const BEFORE = /(?<=[A-Za-z0-9])(?<!\\[abfnrtv]|%[0-9A-Fa-f]{2}|\\[ux][0-9A-Fa-f]{2,4}|\[[0-9;]{0,8}m)/y

/** Whether the first letters are base64 of `{"name":`. */
function isJson(text: string, offset: number): boolean {
  return /^\{"[\w#]{1,9}"?:?/.test(
    Buffer.from(text.slice(offset, offset + 16), 'base64url').toString('latin1'),
  )
}

function span(start: number, length: number, kind: string): Span {
  return { start, end: start + length, kind }
}
