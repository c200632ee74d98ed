/** The script of an index: search and filters. It shows and hides the cards that the page contains. */
import { byId, focusOnSlash, switchTheme } from './theme-and-slash.ts'

const input = byId<HTMLInputElement>('search')
switchTheme()
focusOnSlash(input)

const cards = [...document.querySelectorAll<HTMLElement>('.card')].map((card) => ({
  card,
  number: Number(card.dataset.number),
  text: card.textContent.toLowerCase(),
}))
const days = document.querySelectorAll<HTMLElement>('.of-day')
const filters = ['type', 'tag', 'client', 'person'].flatMap(
  (id) => (document.getElementById(id) as HTMLSelectElement | null) ?? [],
)

/**
 * The words of all conversations, sorted. For each word, `places` has the ascending numbers of the conversations that
 * contain it: the first number, and then each number's difference from the one before it.
 */
let index: { words: string[]; places: string[] } | undefined
function readIndex(): NonNullable<typeof index> {
  const { words, places } = JSON.parse(byId('words').textContent)
  return { words: words === '' ? [] : words.split(' '), places: places.split(';') }
}

/** The numbers of the conversations with a word that begins with `part`. */
function conversationsWith(part: string): Set<number> {
  index ??= readIndex()
  const { words, places } = index
  const found = new Set<number>()
  let from = 0
  let to = words.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (words[middle]! < part) from = middle + 1
    else to = middle
  }
  for (; words[from]?.startsWith(part); from += 1) {
    let number = 0
    for (const step of places[from]!.split(',')) {
      number += Number.parseInt(step, 36)
      found.add(number)
    }
  }
  return found
}

function update(): void {
  const parts = input.value.toLowerCase().match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []
  const sets = parts.map((part) => ({ part, found: conversationsWith(part) }))
  let shown = 0
  for (const { card, number, text } of cards) {
    const fits =
      filters.every(({ id, value }) => value === '' || JSON.parse(card.dataset[id]!).includes(value)) &&
      sets.every(({ part, found }) => found.has(number) || text.includes(part))
    card.hidden = !fits
    shown += fits ? 1 : 0
  }
  for (const day of days) day.hidden = day.querySelector('.card:not([hidden])') === null
  const isNarrowed = parts.length > 0 || filters.some(({ value }) => value !== '')
  byId('count').textContent = isNarrowed ? shown.toLocaleString('en') : ''
  byId('none').hidden = shown > 0
}

let soon: number | undefined
input.addEventListener('input', () => {
  clearTimeout(soon)
  soon = setTimeout(update, 80)
})
for (const filter of filters) filter.addEventListener('change', update)
