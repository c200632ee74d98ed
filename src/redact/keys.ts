import { isRandom } from './random.ts'
import type { Span } from './scan.ts'

/** Finds a private key in PEM or PGP armour at `offset`, where `-----BEGIN` is. */
export function privateKeyAt(text: string, offset: number): readonly Span[] | undefined {
  STATIC_KEY.lastIndex = offset
  if (STATIC_KEY.test(text)) return [{ start: offset, end: STATIC_KEY.lastIndex, kind: KIND }]
  HEADER.lastIndex = offset
  if (!HEADER.test(text)) return undefined
  PLAIN_BODY.lastIndex = HEADER.lastIndex
  if (PLAIN_BODY.test(text)) return [{ start: offset, end: PLAIN_BODY.lastIndex, kind: KIND }]
  return keyLines(text, offset, HEADER.lastIndex)
}

/** Finds the last lines of a private key whose first lines were cut off. Its END line is at `offset`. */
export function keyTailAt(text: string, offset: number): Span | undefined {
  FOOTER_LINE.lastIndex = offset
  if (!FOOTER_LINE.test(text)) return undefined
  let start = offset
  let isKey = false
  for (let lineStart = offset; lineStart > 0; ) {
    const line = lineBefore(text, lineStart)
    lineStart -= line.length
    const [, before = '', body = ''] = TAIL_LINE.exec(line) ?? []
    // Marks may be before the END line, and the last line of the key may be short.
    if (body === '' && start === offset && /^[^A-Za-z]{1,20}$/.test(line)) continue
    if (body.length < (start === offset ? 4 : 40)) break
    start = lineStart + line.lastIndexOf(body)
    if (body.length >= 40 && isKeyLine(body)) isKey = true
    if (/["'`]/.test(before)) break
  }
  return isKey ? { start, end: FOOTER_LINE.lastIndex, kind: KIND } : undefined
}

/** The end of the text before `end`, from the last line end in it on. A line that was cut here is too long for a key's. */
function lineBefore(text: string, end: number): string {
  return text
    .slice(Math.max(0, end - 160), end)
    .split(/(?<=\n|\\n)/)
    .at(-1)!
}

/** The key that an OpenVPN shares: sixteen lines of hex, which may have the signs of a diff or numbers before them. */
const STATIC_KEY =
  /-----BEGIN OpenVPN [Ss]tatic key V1-----(?:(?:\s|\\{1,8}[nr]){1,24}(?:[>+-][ \t]{0,20})?(?:[0-9]{1,6}[→:|\t-][ \t]{0,4})?[0-9a-f]{32}){1,16}/y
const FOOTER_LINE = /-----END[ A-Z0-9_-]{0,60}?PRIVATE KEY(?: BLOCK)?-----/y
/** What a diff, a numbered listing, an indent or a string has before the letters, which fill the rest of the line. */
const TAIL_LINE =
  /(^[ \t>+-]{0,20}(?:[0-9]{1,6}[→:|-]?[ \t]{0,4})?|["'`])([A-Za-z0-9+/]{4,100}={0,2})(?:\s|\\{1,8}[nr]){0,4}$/

/** Finds the private half of a PuTTY key at `offset`, where `Private-Lines:` is. */
export function puttyKeyAt(text: string, offset: number): readonly Span[] | undefined {
  PUTTY.lastIndex = offset
  return PUTTY.test(text) ? keyLines(text, PUTTY.lastIndex, PUTTY.lastIndex) : undefined
}

/** Finds base64 of a private key at `offset`, where base64 of `-----BEGIN` is. A certificate is not a secret. */
export function encodedKeyAt(text: string, offset: number): readonly Span[] | undefined {
  const start = Buffer.from(text.slice(offset, offset + 80), 'base64').toString('latin1')
  return /^-----BEGIN[ A-Z0-9_-]{0,40}PRIVATE KEY/.test(start) ? keyLines(text, offset, offset) : undefined
}

const HEADER = /-----BEGIN[ A-Z0-9_-]{0,60}?PRIVATE KEY(?: BLOCK)?-----/y
/** Nothing but base64 and line ends up to the END line, whatever the length of the lines. */
const PLAIN_BODY =
  /(?:\s|\\+[nrt])*[A-Za-z0-9+/=](?:[A-Za-z0-9+/=\s]|\\+[nrt]){40,20000}?-----END[ A-Z0-9_-]{0,60}?PRIVATE KEY(?: BLOCK)?-----/y
const PUTTY = /Private-Lines: {0,4}[0-9]{1,4}/y

/**
 * Returns the spans of a key that begins at `start`, with its lines from `bodyStart` on; undefined when no line of a
 * key is there. Anything short may separate two lines: line ends, written or escaped, a diff's signs, numbers of lines,
 * file names of a search, terminal colours, the quotes of code. Only quotes and brackets are not replaced, because the
 * JSON around them would break. A key with these between its lines is more than one span. A key without an END line
 * (the head of a file, cut output) ends with its last line.
 */
function keyLines(text: string, start: number, bodyStart: number): readonly Span[] | undefined {
  const spans: Span[] = []
  let from = start
  let end = bodyStart
  for (let first = true; ; first = false) {
    const line = first ? FIRST_LINE : LINE
    line.lastIndex = end
    const match = line.exec(text)
    if (match === null || (first && !isKeyLine(match[2]!))) break
    const lineStart = line.lastIndex - match[2]!.length
    if (hasStructure(match[1]!)) {
      const gap = end + firstStructure(match[1]!)
      if (gap > from) spans.push({ start: from, end: gap, kind: KIND })
      // The letter of an escaped line end stays with its backslash.
      from = text[lineStart - 1] === '\\' ? lineStart + 1 : lineStart
    }
    end = line.lastIndex
  }
  if (end === bodyStart) return undefined
  FOOTER.lastIndex = end
  const footer = FOOTER.exec(text)
  if (footer !== null && !hasStructure(footer[1]!)) end = FOOTER.lastIndex
  spans.push({ start: from, end, kind: KIND })
  const last = footer === null || end === FOOTER.lastIndex ? null : SHORT_LINE.exec(footer[1]!)
  if (last !== null)
    spans.push({ start: end + last.index, end: end + last.index + last[0].length, kind: KIND })
  return spans
}

/** The last line of a key, if it is shorter than the others and has quotes around it. */
const SHORT_LINE = /(?<![A-Za-z0-9+/\\])[A-Za-z0-9+/]{4,}={0,2}/

const KIND = 'private-key'
/** The fields of an encrypted key (`Proc-Type`, `DEK-Info`, `Version`) may precede the first line. */
const FIRST_LINE = /([\s\S]{0,300}?)(?<![A-Za-z0-9+/])([A-Za-z0-9+/]{40,20000}={0,2})/y
const LINE = /([\s\S]{0,90}?)(?<![A-Za-z0-9+/])([A-Za-z0-9+/]{40,20000}={0,2})/y
const FOOTER = /([\s\S]{0,200}?)-----END[ A-Z0-9_-]{0,60}?PRIVATE KEY(?: BLOCK)?-----/y

/**
 * Whether a text is a line of a key, not a path or a word. Code that contains only the BEGIN and END lines of a key has
 * no such line.
 */
function isKeyLine(line: string): boolean {
  return /[0-9]/.test(line) && /[A-Z]/.test(line) && /[a-z]/.test(line) && isRandom(line.slice(0, 200))
}

function hasStructure(gap: string): boolean {
  return firstStructure(gap) >= 0
}

/** The offset of the first quote or bracket, or -1. The bracket of a terminal colour (`\u001b[0m`) does not count. */
function firstStructure(gap: string): number {
  const plain = gap.replace(COLOUR, (colour) => '.'.repeat(colour.length))
  const offset = plain.search(/["'`{}[\]]/)
  if (offset <= 0) return offset
  // The backslashes in front of an escaped quote belong to the quote.
  return offset - /\\*$/.exec(plain.slice(0, offset))![0].length
}

const COLOUR = /(?:\u001b|\\{1,40}(?:u001b|x1b|e|033))\[[0-9;]{0,20}[mK]/gi
