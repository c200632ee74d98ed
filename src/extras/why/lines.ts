import { diffArrays } from 'diff'

/** The lines of a text without line breaks. An empty text has no lines. */
export function linesOf(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Whether a line is so common, like `}` or `else`, that its text does not show who wrote it. */
export function isTrivial(line: string): boolean {
  return (line.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < MIN_LETTERS || COMMON.test(line.trim())
}

const MIN_LETTERS = 4
const COMMON = /^\W*(?:else|begin|return|break|continue|done|then|pass|null|true|false|endif|finally)\W*$/i

/**
 * For each line of `after`, its index in `before`; -1 for a new line. If the texts differ in more than a thousand
 * lines, all entries are undefined, because comparing would take seconds.
 */
export function matchLines(before: readonly string[], after: readonly string[]): (number | undefined)[] {
  const same = Math.min(before.length, after.length)
  let start = 0
  while (start < same && before[start] === after[start]) start += 1
  let end = 0
  while (end < same - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  const [old, now] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  const changes = diffArrays(old, now, { maxEditLength: MAX_CHANGES })
  if (changes === undefined) return after.map(() => undefined)
  const matched = Array.from({ length: start }, (_, n) => n)
  let index = start
  for (const { count, added, removed } of changes)
    for (let n = 0; n < count; n += 1)
      if (added) matched.push(-1)
      else if (removed) index += 1
      else matched.push(index++)
  for (let n = before.length - end; n < before.length; n += 1) matched.push(n)
  return matched
}

const MAX_CHANGES = 1000
