export const KINDS = [
  'first request',
  'later requests',
  'constraints',
  'answers to questions',
  'words of refusals',
  'edits of plans',
  'names that were given',
  'open tasks',
  'files edited',
  'commits',
  'branch',
  'results of checks',
  'issues and pull requests',
  'last answers',
  'accepted plans',
  'reports of subagents',
  'what a short answer answers',
  'unresolved errors',
] as const
export type Kind = (typeof KINDS)[number]

/** Something that the next agent needs. A text holds it when it holds every needle. */
export interface Fact {
  kind: Kind
  needles: Needle[]
}

/** All of this stands within WINDOW characters of the text. White space counts as one space. */
export interface Needle {
  /** Each stands there as it is, not as a part of a longer word. */
  exact?: string[]
  /** At least seven in ten of them stand there, in any order, in capitals or not. */
  words?: string[]
  /** One of them stands there, in capitals or not. */
  oneOf?: readonly string[]
}

const WINDOW = 400
const SHARE_OF_WORDS = 0.7

/** A text in which facts are looked for. */
export interface Haystack {
  text: string
  lower: string
  words: Map<string, number[]>
}

export function haystack(raw: string): Haystack {
  const text = raw.replace(/\s+/g, ' ')
  // Some letters change their number of units in lower case, and places must stay comparable.
  const lower = text.replace(/\p{Lu}/gu, (letter) =>
    letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter,
  )
  const words = new Map<string, number[]>()
  for (const { word, at } of wordsIn(lower)) {
    const places = words.get(word)
    if (places === undefined) words.set(word, [at])
    else places.push(at)
  }
  return { text, lower, words }
}

export function holds(hay: Haystack, { needles }: Fact): boolean {
  return needles.every((needle) => isIn(hay, needle))
}

function isIn({ text, lower, words }: Haystack, needle: Needle): boolean {
  const { exact = [], words: wanted = [], oneOf = [] } = needle
  const found = [
    ...exact.flatMap((one) => placesOf(text, one).map((at) => ({ at, group: 'exact' as const, one }))),
    ...wanted.flatMap((one) => (words.get(one) ?? []).map((at) => ({ at, group: 'words' as const, one }))),
    ...oneOf.flatMap((one) => placesOf(lower, one).map((at) => ({ at, group: 'oneOf' as const, one: '' }))),
  ].sort((a, b) => a.at - b.at)
  const least = Math.ceil(wanted.length * SHARE_OF_WORDS)
  const inside = { exact: new Counts(), words: new Counts(), oneOf: new Counts() }
  let start = 0
  for (const { at, group, one } of found) {
    inside[group].add(one)
    for (; found[start]!.at < at - WINDOW; start += 1) inside[found[start]!.group].take(found[start]!.one)
    const enough =
      inside.exact.size === new Set(exact).size &&
      inside.words.size >= least &&
      (oneOf.length === 0 || inside.oneOf.size > 0)
    if (enough) return true
  }
  return false
}

/** How often each text stands in the window. */
class Counts {
  readonly #counts = new Map<string, number>()

  get size(): number {
    return this.#counts.size
  }

  add(one: string): void {
    this.#counts.set(one, (this.#counts.get(one) ?? 0) + 1)
  }

  take(one: string): void {
    const left = this.#counts.get(one)! - 1
    if (left === 0) this.#counts.delete(one)
    else this.#counts.set(one, left)
  }
}

function placesOf(text: string, raw: string): number[] {
  const wanted = raw.replace(/\s+/g, ' ')
  const places: number[] = []
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const before = WORDY.test(wanted[0]!) && WORDY.test(text[at - 1] ?? '')
    const after = WORDY.test(wanted.at(-1)!) && WORDY.test(text[at + wanted.length] ?? '')
    if (!before && !after) places.push(at)
  }
  return places
}

const WORDY = /[\p{L}\p{N}_]/u

/** The words of a text in lower case, from three letters on; in scripts without spaces, each two characters. */
export function wordsIn(text: string): { word: string; at: number }[] {
  return [...text.matchAll(WORD)].map(({ 0: word, index }) => ({ word: word.toLowerCase(), at: index }))
}

const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]{2}|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}])[\p{L}\p{M}\p{N}]){3,}/gu
