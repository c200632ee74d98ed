/** The readable part of a JSON document that was cut: the part up to the last complete element of one of its lists. */
export interface Rescued {
  /** The part, closed so that it is valid JSON. */
  json: string
  /** Where the part ends in the document, in UTF-16 units. */
  end: number
}

/**
 * Rescues a document up to the last complete element (an object or a list) of its list `name`. Undefined when it has no
 * such list.
 */
export function rescueList(text: string, name: string): Rescued | undefined {
  const start = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0
  let depth = 0
  let inList = false
  let end: number | undefined
  for (let index = start; index < text.length; index++) {
    const letter = text[index]!
    if (letter === '"') {
      const close = endOfText(text, index)
      if (close === undefined) break
      // This text may be the key of the list, in the outermost object.
      if (depth === 1 && end === undefined && text.slice(index + 1, close) === name) {
        const begin = /^\s*:\s*\[/.exec(text.slice(close + 1, close + 1 + MAX_SEPARATOR))
        if (begin !== null) {
          inList = true
          depth = 2
          index = close + begin[0].length
          end = index + 1
          continue
        }
      }
      index = close
      continue
    }
    if (letter === '{' || letter === '[') depth++
    else if (letter === '}' || letter === ']') {
      depth--
      if (inList && depth === 2) end = index + 1
      if (inList && depth === 1) break
    }
    if (depth === 0 && index > start && letter === '}') break
  }
  return end === undefined ? undefined : { json: `${text.slice(start, end)}]}`, end }
}

const BYTE_ORDER_MARK = 0xfeff
const MAX_SEPARATOR = 100

/** The index of the quotation mark that ends a text. Undefined when the text is cut. */
function endOfText(text: string, begin: number): number | undefined {
  for (let index = begin + 1; ; index++) {
    index = text.indexOf('"', index)
    if (index === -1) return undefined
    let escapes = 0
    while (text[index - 1 - escapes] === '\\') escapes++
    if (escapes % 2 === 0) return index
  }
}
