import { plain } from '../../text/without-accents.ts'

/**
 * A conversation or a client's own session that a person may continue, as a picker shows it. All texts are one line and
 * printable.
 */
export interface Offer {
  /** The name beside the conversation, such as `5` (session/names.ts); a client's own session has none. */
  number?: string
  title: string
  type: string
  /** The time of the last message, in words. */
  when: string
  /** The client's name. */
  client: string
  messages?: number
  /** Looks up the person who typed last, if several people type here. */
  author?: () => string | undefined
  /** The name of the workspace, if there are several. */
  where?: string
  /** Further words that find the offer. */
  words: string
}

/**
 * Returns the offers that contain every typed word; case and accents do not count. They are in this order:
 * 1. offers whose number is the typed text, or whose title begins with this text
 * 2. offers in whose title each typed word begins a word
 * 3. all others
 *
 * Within each group, offers keep their order.
 */
export function matching<T extends Offer>(offers: readonly T[], typed: string): T[] {
  const sought = folded(typed)
  if (sought === '') return [...offers]
  const words = sought.split(' ')
  const ranks: T[][] = [[], [], []]
  for (const offer of offers) {
    const { title, all } = foldedOf(offer)
    if (!words.every((word) => all.includes(word))) continue
    const rank =
      offer.number === sought || title.startsWith(sought)
        ? 0
        : words.every((word) => ` ${title}`.includes(` ${word}`))
          ? 1
          : 2
    ranks[rank]!.push(offer)
  }
  return ranks.flat()
}

const cache = new WeakMap<Offer, { title: string; all: string }>()

/**
 * Returns texts of an offer in lower case and without accents. They are cached, because every key press looks at
 * thousands of offers.
 */
function foldedOf(offer: Offer): { title: string; all: string } {
  const before = cache.get(offer)
  if (before !== undefined) return before
  const { title, type, client, where = '', number = '', words } = offer
  const folds = {
    title: folded(title),
    all: folded([title, type, client, where, number, words].join(' ')),
  }
  cache.set(offer, folds)
  return folds
}

function folded(text: string): string {
  return plain(text).toLowerCase().replace(/\s+/g, ' ').trim()
}
