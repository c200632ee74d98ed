/**
 * The whole part of a JSON document that was cut: an object, with the whole elements of one of its lists. Elements of
 * that list that are not whole are left out, and everything after them.
 */
export interface Rescued {
  /** A JSON text. */
  json: string
  /** End of the part of the document that was read, in UTF-16 units. */
  end: number
}

/** Rescues the elements of the list `name` of a document. Undefined where not even the list begins. */
export function rescueList(text: string, name: string): Rescued | undefined {
  const start = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0
  let depth = 0
  let inList = false
  let end: number | undefined
  for (let at = start; at < text.length; at++) {
    const letter = text[at]!
    if (letter === '"') {
      const close = endOfText(text, at)
      if (close === undefined) break
      // The name of a member of the object itself.
      if (depth === 1 && end === undefined && text.slice(at + 1, close) === name) {
        const begin = /^\s*:\s*\[/.exec(text.slice(close + 1, close + 1 + NEAR))
        if (begin !== null) {
          inList = true
          depth = 2
          at = close + begin[0].length
          end = at + 1
          continue
        }
      }
      at = close
      continue
    }
    if (letter === '{' || letter === '[') depth++
    else if (letter === '}' || letter === ']') {
      depth--
      if (inList && depth === 2) end = at + 1
      if (inList && depth === 1) break
    }
    if (depth === 0 && at > start && letter === '}') break
  }
  return end === undefined ? undefined : { json: `${text.slice(start, end)}]}`, end }
}

const BYTE_ORDER_MARK = 0xfeff
const NEAR = 100

/** End of a text that begins with a quotation mark. Undefined when it is cut. */
function endOfText(text: string, begin: number): number | undefined {
  for (let at = begin + 1; ; at++) {
    at = text.indexOf('"', at)
    if (at === -1) return undefined
    let escapes = 0
    while (text[at - 1 - escapes] === '\\') escapes++
    if (escapes % 2 === 0) return at
  }
}
