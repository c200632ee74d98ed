/**
 * The text with accents and other marks taken off its letters, for comparing. Letters keep their case. Line breaks,
 * quotes and backslashes stay where they are, so that lines of JSON stay lines of JSON. Most texts come back as they
 * are.
 */
export function plain(text: string): string {
  return MARKED.test(text) ? text.replace(MARKED_RUNS, unmarked) : text
}

/** Letters with marks, marks themselves, and wide or joined forms of letters. No Chinese and no Korean ones. */
const MARKED =
  /[\u00aa-\u06ff\u1d00-\u1fff\u2c60-\u2c7f\u3099\u309a\ufb00-\ufb06\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uff9f]/
const MARKED_RUNS = new RegExp(`${MARKED.source}+`, 'g')

const known = new Map<string, string>()
const MAX_KNOWN = 10_000

/** To take a letter apart is slow, and a text has few different runs of them. */
function unmarked(run: string): string {
  const before = known.get(run)
  if (before !== undefined) return before
  const letters = run
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC')
  const result = letters.replace(/[ßæœøđðłıþÆŒØĐÐŁÞ]/g, (letter) => OTHERS[letter]!)
  if (known.size < MAX_KNOWN) known.set(run, result)
  return result
}

/** Letters that Unicode does not take apart. */
const OTHERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ı: 'i' },
  ...{ Æ: 'AE', Œ: 'OE', Ø: 'O', Đ: 'D', Ð: 'D', Þ: 'TH', Ł: 'L' },
}
