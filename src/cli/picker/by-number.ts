import { createInterface } from 'node:readline/promises'
import { say } from '../print.ts'
import { matching, type Offer } from './offer.ts'
import type { Picked, Picker } from './prompt.ts'

/** So many are told at once. */
const TOLD = 20

/** Asks line by line, until one is chosen. It waits for the offers that come later. */
export async function byNumber<T extends Offer>(picker: Picker<T>): Promise<Picked<T>> {
  const later = await picker.later?.offers
  const all = [...picker.offers, ...(later?.offers ?? [])]
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    let shown = all
    for (;;) {
      const told = shown.slice(0, TOLD)
      say(
        `${picker.message}:`,
        told.map(({ title, type, when, client }, at) => `${at + 1}. ${title}; ${type}, ${when}, ${client}`),
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
      const one = /^\d+$/.test(answer) ? told[Number(answer) - 1] : undefined
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
