import { isExample, isRandom } from './judge.ts'
import { privateKeyAt } from './keys.ts'
import { MARK } from './placeholder.ts'
import { anyOf, type Verdict } from './scan.ts'
import { SHAPES, type Shape } from './shapes.ts'

const ARMOUR = '-----BEGIN '
/** A file follows, mostly a picture. It is skipped, because its random letters may look like any token. */
const DATA_URI = ';base64,'

const STARTS = [...new Set(SHAPES.flatMap((shape) => shape.starts))]

/** Every literal that announces a secret. One search for all of them spares one search for each kind. */
export const SHAPE_TRIGGER = anyOf([...STARTS, ARMOUR, DATA_URI, MARK])

/** The shapes to try where a literal stands: its own, and those that a shorter beginning of the literal announces. */
const SHAPES_AT: ReadonlyMap<string, readonly Shape[]> = new Map(
  STARTS.map((literal) => [
    literal,
    SHAPES.filter((shape) => shape.starts.some((start) => literal.startsWith(start))),
  ]),
)

export function secretByShape(text: string, at: number, literal: string): Verdict {
  if (literal === ARMOUR) return privateKeyAt(text, at)
  if (literal === DATA_URI) return { skipTo: endOfBase64(text, at + DATA_URI.length) }
  for (const shape of SHAPES_AT.get(literal)!) {
    const start = at - shape.back
    if (start < 0) continue
    shape.pattern.lastIndex = start
    const match = shape.pattern.exec(text)
    if (match === null) continue
    const secret = match[1] ?? match[0]
    if (isExample(secret) || (shape.random && !isRandom(secret))) continue
    const from = start + match[0].lastIndexOf(secret)
    return { start: from, end: from + secret.length, kind: shape.kind }
  }
  return undefined
}

function endOfBase64(text: string, from: number): number {
  NOT_BASE64.lastIndex = from
  return NOT_BASE64.exec(text)?.index ?? text.length
}

const NOT_BASE64 = /[^A-Za-z0-9+/=%_-]/g
