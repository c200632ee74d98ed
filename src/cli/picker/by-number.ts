import { createInterface } from 'node:readline/promises'
import { say } from '../print.ts'
import { matching, type Offer } from './offer.ts'
import type { Picked, Picker } from './prompt.ts'

/** So many are told at once. */
const TOLD = 20

/**
 * Asks line by line, until one is chosen. A conversation is told by the number that names it everywhere. It waits for the
 * offers that come later.
 */
export async function byNumber<T extends Offer>(picker: Picker<T>): Promise<Picked<T>> {
  const later = await picker.later?.offers
  const all = [...picker.offers, ...(later?.offers ?? [])]
  const labels = labelsOf(all)
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    let shown = all
    for (;;) {
      const told = shown.slice(0, TOLD)
      say(
        `${picker.message}:`,
        told.map((one) => `${labels.get(one)}. ${one.title}; ${one.type}, ${one.when}, ${one.client}`),
        shown.length > TOLD ? [`${shown.length - TOLD} more: find them by words.`] : [],
        later === undefined || later.note === '' ? [] : [later.note],
      )
      const answer = (
        await terminal.question(
          `A number, words to find one${picker.offersNew ? ', n for a new one' : ''}, nothing to quit: `,
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
 * What each is answered with: its number, with its workspace where others have that too; `s1`, `s2` for sessions that have
 * none.
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
