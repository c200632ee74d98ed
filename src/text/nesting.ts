/** cortext never nests JSON this deep. Walking deeper JSON, or writing it again, would use up the stack. */
const MAX_DEPTH = 1000

/**
 * JSON of a client or another program may be nested this deep. It becomes a part of a message, which has levels of its
 * own.
 */
const MAX_DEPTH_OF_OTHERS = 500

/**
 * Parses JSON of another program. A list or object that is nested too deep becomes a string: its JSON. Throws what
 * `JSON.parse` throws.
 */
export function parseForeign(json: string): unknown {
  return JSON.parse(isTooDeep(json, MAX_DEPTH_OF_OTHERS) ? withoutDepth(json, MAX_DEPTH_OF_OTHERS) : json)
}

function withoutDepth(json: string, maxDepth: number): string {
  const pieces: string[] = []
  let [depth, copied, deepFrom] = [0, 0, 0]
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index)
    if (code === QUOTE) index = endOfString(json, index)
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      depth += 1
      if (depth === maxDepth + 1) deepFrom = index
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      depth -= 1
      if (depth !== maxDepth) continue
      pieces.push(json.slice(copied, deepFrom), JSON.stringify(json.slice(deepFrom, index + 1)))
      copied = index + 1
    }
  }
  return pieces.join('') + json.slice(copied)
}

/** Whether a text of JSON is nested deeper than `maxDepth` levels. */
export function isTooDeep(json: string, maxDepth = MAX_DEPTH): boolean {
  // Every level takes two characters. Nearly all texts are too short to be too deep.
  if (json.length < 2 * maxDepth) return false
  let depth = 0
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index)
    if (code === QUOTE) index = endOfString(json, index)
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      depth += 1
      if (depth > maxDepth) return true
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1
  }
  return false
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** The index of the quote that ends the string which begins at `start`. */
function endOfString(json: string, start: number): number {
  for (let index = json.indexOf('"', start + 1); index !== -1; index = json.indexOf('"', index + 1)) {
    let escapes = 0
    while (json.charCodeAt(index - 1 - escapes) === BACKSLASH) escapes += 1
    if (escapes % 2 === 0) return index
  }
  return json.length
}
