/** No program of ours nests JSON this deep. Walking it, and writing it again, would use up the stack. */
const DEEPEST = 1000

/** Whether a text of JSON is nested deeper than anything that we write or work with. */
export function isTooDeep(json: string): boolean {
  // Every level takes two characters, and nearly all texts are shorter.
  if (json.length < 2 * DEEPEST) return false
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) at = endOfString(json, at)
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      depth += 1
      if (depth > DEEPEST) return true
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1
  }
  return false
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** The place of the quote that ends the string which begins at `start`. */
function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let escapes = 0
    while (json.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes += 1
    if (escapes % 2 === 0) return at
  }
  return json.length
}
