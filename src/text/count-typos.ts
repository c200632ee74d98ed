/**
 * Counts the typos between a typed word and the word that was meant, or the beginning of that word. A typo is a letter
 * too many, missing or wrong, or two letters swapped. Infinity when there are more than `allowed`: by default none for
 * a word of up to 3 letters, one for up to 7, else two.
 */
export function countTypos(
  typed: string,
  meant: string,
  allowed = typed.length <= 3 ? 0 : typed.length <= 7 ? 1 : 2,
): number {
  const typos = Math.min(
    distance(typed, meant, allowed),
    distance(typed, meant.slice(0, typed.length), allowed),
  )
  return typos <= allowed ? typos : Number.POSITIVE_INFINITY
}

/** Returns the items that may be meant, the fewest typos first. `typosIn` returns Infinity for an item that is not. */
export function byTypos<T>(items: readonly T[], typosIn: (item: T) => number): T[] {
  return items
    .map((item) => ({ item, typos: typosIn(item) }))
    .filter(({ typos }) => typos < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.typos - b.typos)
    .map(({ item }) => item)
}

/** Edit distance with swapped neighbours (optimal string alignment). */
function distance(a: string, b: string, allowed: number): number {
  if (Math.abs(a.length - b.length) > allowed) return Number.POSITIVE_INFINITY
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row += 1) {
    const now = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1]
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      now[column] = Math.min(
        last[column]! + 1,
        now[column - 1]! + 1,
        last[column - 1]! + (same ? 0 : 1),
        swapped ? beforeLast[column - 2]! + 1 : Number.POSITIVE_INFINITY,
      )
    }
    if (Math.min(...now) > allowed) return Number.POSITIVE_INFINITY
    beforeLast = last
    last = now
  }
  return last[b.length]!
}
