import type { Ranked } from '../../search/rank.ts'
import { oneLine } from '../../text/line.ts'
import { plain } from '../../text/without-accents.ts'
import type { Found, SearchResult } from './search.ts'

/** A line above hits, and the words that it names. */
interface Nearest {
  line: string
  named: readonly string[]
}

/**
 * Says above hits what was looked for and is nowhere, or in none of these, or that no conversation has enough of it
 * together; undefined if none is so.
 */
export function nearestLine(
  { query, nowhere, alike }: Pick<SearchResult, 'query' | 'nowhere' | 'alike'>,
  hits: readonly Pick<Ranked<Found>, 'missing' | 'fit'>[],
  asked: string,
): Nearest | undefined {
  const asksFor = new Set(query.terms.flatMap(({ text, inMost }) => (inMost ? [text] : [])))
  const isLacked = (word: string) => hits.every(({ missing }) => missing.includes(word))
  const [first] = hits
  if (first === undefined) return undefined
  const forms: [words: readonly string[], line: (words: string) => string][] = [
    // `graphql`, which nobody has said; `irelnd`, where only a conversation that is not shown has `Ireland`.
    [[...nowhere, ...alike.filter(isLacked)], (words) => `Not found: ${words}. The nearest:`],
    // `winget`, where the first hit has `widget`.
    [
      alike.filter((word) => !first.missing.includes(word)),
      (words) => `Not found: ${words}. With words much like it:`,
    ],
    // `garden`, which is in other conversations than these.
    [first.missing.filter(isLacked), (words) => `None of these has ${words}. The nearest:`],
  ]
  for (const [words, line] of forms) {
    const named = words.filter((word) => asksFor.has(word))
    if (named.length > 0) return { line: line(wordsIn(named, asked)), named }
  }
  return first.fit === 'weak' ? { line: 'Not found together. The nearest:', named: [] } : undefined
}

/** Says which words of a query a conversation lacks, but for `named` and those that are nowhere; undefined if none. */
export function missingLine(
  { missing }: Pick<Ranked<Found>, 'missing'>,
  { nowhere }: Pick<SearchResult, 'nowhere'>,
  { named = [], asked }: { named?: readonly string[] | undefined; asked: string },
): string | undefined {
  const some = missing.filter((word) => !named.includes(word) && !nowhere.includes(word))
  return some.length === 0 ? undefined : `not in it: ${wordsIn(some, asked)}`
}

/** The first of these words, as they were typed. */
function wordsIn(words: readonly string[], asked: string): string {
  const typed = new Map((asked.match(TYPED) ?? []).map((word) => [plain(word).toLowerCase(), word]))
  // Parts of a name are told with the name: `GraphQL`, not `ql`.
  const own = words.filter((word) => typed.has(word))
  const all = own.length > 0 ? own : words
  const shown = all.slice(0, MAX_NAMED).map((word) => `"${oneLine(typed.get(word) ?? word)}"`)
  return shown.join(', ') + (all.length > MAX_NAMED ? ` and ${all.length - MAX_NAMED} more` : '')
}

const TYPED = /[\p{L}\p{M}\p{N}_]+/gu
const MAX_NAMED = 4
