/**
 * The JSON of a value in pieces, which joined are what `JSON.stringify` returns. The value is plain JSON data. A long
 * text in it is never in memory as a whole a second time, and no piece ends between the halves of a surrogate pair.
 */
export function* jsonPieces(value: unknown): Generator<string> {
  if (!hasLongText(value)) yield JSON.stringify(value)
  else if (typeof value === 'string') yield* jsonTextPieces(value)
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield index === 0 ? '[' : ','
      yield* jsonPieces(item ?? null)
    }
    yield ']'
  } else {
    let before = '{'
    for (const [key, item] of Object.entries(value as object)) {
      if (item === undefined) continue
      yield `${before}${JSON.stringify(key)}:`
      yield* jsonPieces(item)
      before = ','
    }
    yield '}'
  }
}

const PIECE_LENGTH = 1024 * 1024

function hasLongText(value: unknown): boolean {
  if (typeof value === 'string') return value.length > PIECE_LENGTH
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLongText)
}

function* jsonTextPieces(text: string): Generator<string> {
  let quote = '"'
  for (const piece of textPieces(text)) {
    yield quote + JSON.stringify(piece).slice(1, -1)
    quote = ''
  }
  yield '"'
}

/** A text in pieces of about a million characters. None ends between the halves of a surrogate pair. */
export function* textPieces(text: string): Generator<string> {
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = at + PIECE_LENGTH
    if (/^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(end - 1, end + 1))) end += 1
    yield text.slice(at, end)
  }
}
