/**
 * Removes accents and other marks from the letters of a text, for comparing. Letters keep their case. Line breaks,
 * quotes and backslashes stay where they are, so that lines of JSON stay lines of JSON. Most texts have no marks and
 * are returned as they are.
 */
export function plain(text: string): string {
  return MARKED.test(text) ? text.replace(MARKED_RUNS, withoutMarks) : text
}

/**
 * Letters with marks, marks themselves, wide or joined forms of letters, and the parts of Korean syllables; except Chinese
 * letters and whole Korean syllables.
 */
const MARKED =
  /[\u00aa-\u06ff\u1100-\u11ff\u1d00-\u1fff\u2c60-\u2c7f\u3099\u309a\ufb00-\ufb06\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uff9f]/
/** In Japanese, another letter comes before the mark of its sound, with which it is one: `か` and U+3099 are `が`. */
const MARKED_RUNS = new RegExp(`(?:[\\u3041-\\u30ff][\\u3099\\u309a]|${MARKED.source})+`, 'g')
const ACCENTS = /[^\P{M}\u3099\u309a]+/gu

const cache = new Map<string, string>()
const MAX_CACHED = 10_000

/** Cached: it is slow to decompose letters, and a text has few different runs of such letters. */
function withoutMarks(run: string): string {
  const cached = cache.get(run)
  if (cached !== undefined) return cached
  const letters = run.normalize('NFKD').replace(ACCENTS, '').normalize('NFC')
  const result = letters.replace(/[ßæœøđðłıþÆŒØĐÐŁÞ]/g, (letter) => UNDECOMPOSED[letter]!)
  if (cache.size < MAX_CACHED) cache.set(run, result)
  return result
}

/** Letters that Unicode does not decompose. */
const UNDECOMPOSED: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ı: 'i' },
  ...{ Æ: 'AE', Œ: 'OE', Ø: 'O', Đ: 'D', Ð: 'D', Þ: 'TH', Ł: 'L' },
}
