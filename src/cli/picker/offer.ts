import { plain } from '../../text/plain.ts'

/** One of several things that a person may go on with, as a picker shows it. All texts are one line and printable. */
export interface Offer {
  /** What names it in its workspace (numbersOf); a session of a client has none. */
  number?: string
  title: string
  type: string
  /** When something was said last, in words. */
  when: string
  /** The client's name. */
  client: string
  messages?: number
  /** Who typed last, where several people do. It is looked up when it is shown. */
  author?: () => string | undefined
  /** The workspace, where there are several. */
  where?: string
  /** Further words that it is found by. */
  words: string
}

/**
 * The offers that hold every word of what was typed, whatever its case and accents: those first whose number or the begin of
 * whose title it is, then those in whose title a word does, then all others, each in the order that they had.
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

const known = new WeakMap<Offer, { title: string; all: string }>()

/** Five thousand titles are folded once, not at every key. */
function foldedOf(offer: Offer): { title: string; all: string } {
  const before = known.get(offer)
  if (before !== undefined) return before
  const { title, type, client, where = '', words } = offer
  const folds = { title: folded(title), all: folded([title, type, client, where, words].join(' ')) }
  known.set(offer, folds)
  return folds
}

function folded(text: string): string {
  return plain(text).toLowerCase().replace(/\s+/g, ' ').trim()
}
