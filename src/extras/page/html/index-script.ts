/** Search and filters of an index. Like the script of a page it only shows and hides what stands there. */
export const INDEX_SCRIPT = String.raw`'use strict';
(() => {
  const one = (id) => document.getElementById(id)
  const root = document.documentElement
  one('theme').addEventListener('click', () => {
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
    root.dataset.theme = dark ? 'light' : 'dark'
  })

  const cards = [...document.querySelectorAll('.card')].map((card) => ({
    card,
    number: Number(card.dataset.number),
    text: card.textContent.toLowerCase(),
    type: JSON.parse(card.dataset.type),
    tag: JSON.parse(card.dataset.tag),
    client: JSON.parse(card.dataset.client),
    person: JSON.parse(card.dataset.person),
  }))
  const days = [...document.querySelectorAll('.of-day')]
  const filters = ['type', 'tag', 'client', 'person'].map(one).filter((each) => each !== null)

  let index
  function read() {
    const { words, places } = JSON.parse(one('words').textContent)
    index = { words: words === '' ? [] : words.split(' '), places: places.split(';') }
  }

  // The conversations that hold a word which begins like this one.
  function holding(part) {
    if (index === undefined) read()
    const found = new Set()
    let from = 0
    let to = index.words.length
    while (from < to) {
      const middle = (from + to) >> 1
      if (index.words[middle] < part) from = middle + 1
      else to = middle
    }
    for (; from < index.words.length && index.words[from].startsWith(part); from++) {
      let number = 0
      for (const step of index.places[from].split(',')) found.add((number += parseInt(step, 36)))
    }
    return found
  }

  function update() {
    const asked = one('search').value.toLowerCase()
    const parts = asked.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []
    const sets = parts.map((part) => ({ part, found: holding(part) }))
    let shown = 0
    for (const each of cards) {
      const fits =
        filters.every((filter) => filter.value === '' || each[filter.id].includes(filter.value)) &&
        sets.every(({ part, found }) => found.has(each.number) || each.text.includes(part))
      each.card.hidden = !fits
      shown += fits ? 1 : 0
    }
    for (const day of days) day.hidden = day.querySelector('.card:not([hidden])') === null
    const narrowed = parts.length > 0 || filters.some((filter) => filter.value !== '')
    one('count').textContent = narrowed ? shown.toLocaleString('en') : ''
    one('none').hidden = shown > 0
  }

  let soon
  one('search').addEventListener('input', () => {
    clearTimeout(soon)
    soon = setTimeout(update, 80)
  })
  for (const filter of filters) filter.addEventListener('change', update)
  addEventListener('keydown', (event) => {
    const typing = event.target instanceof HTMLElement && event.target.closest('input, select')
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    one('search').focus()
  })
})()
`
