/** The lines of a text without their breaks. A text that is empty has none. */
export function linesOf(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Lines such as `}` or `end` stand everywhere, so that their text alone says nothing of who wrote them. */
export function isTrivial(line: string): boolean {
  return (line.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < LEAST_LETTERS || COMMON.test(line.trim())
}

const LEAST_LETTERS = 4
const COMMON = /^\W*(?:else|begin|return|break|continue|done|then|pass|null|true|false|endif|finally)\W*$/i

/**
 * For each line of `after`, the line of `before` that it was, -1 for a new one: the lines that keep their order. Lines
 * that stand only once on both sides are matched first, so that a moved block does not pull its braces along.
 */
export function matchLines(before: readonly string[], after: readonly string[]): number[] {
  const matched = new Array<number>(after.length).fill(-1)
  const open: Span[] = [{ a: 0, aEnd: before.length, b: 0, bEnd: after.length }]
  for (let span = open.pop(); span !== undefined; span = open.pop()) {
    const rest = withoutEnds(before, after, span, matched)
    if (rest.a === rest.aEnd || rest.b === rest.bEnd) continue
    const anchors = uniqueInBoth(before, after, rest)
    if (anchors.length === 0) matchFew(before, after, rest, matched)
    else for (const part of around(anchors, rest, matched)) open.push(part)
  }
  return matched
}

/**
 * How much of two texts is the same lines in the same order, from 0 to 1, as a part of the longer one. White space at the
 * ends of lines does not count: who indents a file anew makes no other one of it.
 */
export function likeness(one: readonly string[], other: readonly string[]): number {
  const [before, after] = [one, other].map((lines) => lines.map((line) => line.trim())) as [
    string[],
    string[],
  ]
  const sizeOf = (lines: readonly string[]) => lines.reduce((size, line) => size + line.length, 0)
  const matched = matchLines(before, after)
  const same = after.filter((_, at) => matched[at] !== -1)
  return sizeOf(same) / Math.max(sizeOf(before), sizeOf(after), 1)
}

/** Lines `a` up to `aEnd` of the one text, and `b` up to `bEnd` of the other one. */
interface Span {
  a: number
  aEnd: number
  b: number
  bEnd: number
}

function withoutEnds(before: readonly string[], after: readonly string[], span: Span, matched: number[]) {
  let { a, aEnd, b, bEnd } = span
  while (a < aEnd && b < bEnd && before[a] === after[b]) matched[b++] = a++
  while (a < aEnd && b < bEnd && before[aEnd - 1] === after[bEnd - 1]) matched[--bEnd] = --aEnd
  return { a, aEnd, b, bEnd }
}

type Pair = readonly [number, number]

/** Pairs of lines that stand once in each part of the span, as many as keep their order. */
function uniqueInBoth(before: readonly string[], after: readonly string[], span: Span): Pair[] {
  const there = once(before, span.a, span.aEnd)
  const pairs: Pair[] = []
  for (const [line, b] of once(after, span.b, span.bEnd)) {
    const a = there.get(line) ?? -1
    if (a >= 0 && b >= 0) pairs.push([a, b])
  }
  return rising(pairs.sort(([, one], [, other]) => one - other))
}

/** The place of each line that stands once between two places; -1 for the others. */
function once(lines: readonly string[], from: number, to: number): Map<string, number> {
  const places = new Map<string, number>()
  for (let at = from; at < to; at += 1) places.set(lines[at]!, places.has(lines[at]!) ? -1 : at)
  return places
}

/** The longest row of pairs whose first numbers rise. */
function rising(pairs: readonly Pair[]): Pair[] {
  const ends: number[] = []
  const earlier: number[] = []
  for (const [at, [a]] of pairs.entries()) {
    let low = 0
    for (let high = ends.length; low < high; ) {
      const middle = (low + high) >> 1
      if (pairs[ends[middle]!]![0] < a) low = middle + 1
      else high = middle
    }
    earlier[at] = low === 0 ? -1 : ends[low - 1]!
    ends[low] = at
  }
  const row: Pair[] = []
  for (let at = ends.at(-1) ?? -1; at !== -1; at = earlier[at]!) row.push(pairs[at]!)
  return row.reverse()
}

/** The spans between anchors. The anchors themselves are matched. */
function around(anchors: readonly Pair[], { a, aEnd, b, bEnd }: Span, matched: number[]): Span[] {
  const spans: Span[] = []
  let last = { a, b }
  for (const [one, other] of anchors) {
    matched[other] = one
    spans.push({ ...last, aEnd: one, bEnd: other })
    last = { a: one + 1, b: other + 1 }
  }
  return [...spans, { ...last, aEnd, bEnd }]
}

/** Where no line stands only once, the longest common row is looked for, unless that takes too long. */
function matchFew(before: readonly string[], after: readonly string[], span: Span, matched: number[]): void {
  const [height, width] = [span.aEnd - span.a, span.bEnd - span.b]
  if (height * width > MOST_CELLS) return
  const lengths = Array.from({ length: height + 1 }, () => new Uint32Array(width + 1))
  for (let a = height - 1; a >= 0; a -= 1)
    for (let b = width - 1; b >= 0; b -= 1)
      lengths[a]![b] =
        before[span.a + a] === after[span.b + b]
          ? lengths[a + 1]![b + 1]! + 1
          : Math.max(lengths[a + 1]![b]!, lengths[a]![b + 1]!)
  for (let a = 0, b = 0; a < height && b < width; ) {
    if (before[span.a + a] === after[span.b + b]) matched[span.b + b++] = span.a + a++
    else if (lengths[a + 1]![b]! >= lengths[a]![b + 1]!) a += 1
    else b += 1
  }
}

const MOST_CELLS = 1_000_000
