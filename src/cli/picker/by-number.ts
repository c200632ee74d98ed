import { createInterface } from 'node:readline/promises'
import { say } from '../print.ts'
import { matching, type Offer } from './offer.ts'
import type { Picked, Picker } from './prompt.ts'

/** At most this many offers are listed at once. */
const MAX_SHOWN = 20

/**
 * Waits for the offers that come later, lists all offers line by line, and asks until the person chooses or quits. A
 * conversation's number here is the number that verbs accept too.
 */
export async function byNumber<T extends Offer>(picker: Picker<T>): Promise<Picked<T>> {
  const later = await picker.later?.offers
  const all = [...picker.offers, ...(later?.offers ?? [])]
  const labels = labelsOf(all)
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    let shown = all
    for (;;) {
      const page = shown.slice(0, MAX_SHOWN)
      say(
        `${picker.message}:`,
        page.map((one) => `${labels.get(one)}. ${one.title}; ${one.type}, ${one.when}, ${one.client}`),
        shown.length > MAX_SHOWN ? [`${shown.length - MAX_SHOWN} more: find them by words.`] : [],
        later === undefined || later.note === '' ? [] : [later.note],
      )
      const answer = (
        await terminal.question(
          `A number, words to find one${picker.offersNew ? ', n for a new one' : ''}, or just Enter to quit: `,
        )
      ).trim()
      if (answer === '') return 'quit'
      if (picker.offersNew && answer === 'n') return 'new'
      const one = all.find((some) => labels.get(some) === answer)
      if (one !== undefined) return { one, client: undefined }
      const named = matching(all, answer)
      const found =
        named.length > 0 ? named : (await picker.find(answer)).filter((some) => all.includes(some))
      if (found.length === 0) say(`Nothing was found for "${answer}".`)
      shown = found.length > 0 ? found : all
    }
  } finally {
    terminal.close()
  }
}

/**
 * Returns what the person types to choose each offer: its number, or `<workspace>/<number>` if another offer has the
 * same number. A client's own session has no number, so it gets `s1`, `s2`, ….
 */
function labelsOf<T extends Offer>(all: readonly T[]): Map<T, string> {
  const counts = new Map<string, number>()
  for (const { number = '' } of all) counts.set(number, (counts.get(number) ?? 0) + 1)
  const sessions = all.filter(({ number }) => number === undefined)
  return new Map(
    all.map((one) => {
      const { number, where } = one
      if (number === undefined) return [one, `s${sessions.indexOf(one) + 1}`]
      return [one, counts.get(number) === 1 || where === undefined ? number : `${where}/${number}`]
    }),
  )
}
