import { largeCountOf } from '../../../text/count-of.ts'
import { asJson } from '../../../text/json.ts'
import { oneLine, shortLine } from '../../../text/line.ts'
import { activityDrawing } from './activity.ts'
import { INDEX_SCRIPT, INDEX_STYLE, STYLE } from './browser.ts'
import { Html, html } from './html.ts'
import type { WordIndex } from './index-words.ts'
import { pageOf } from './shell.ts'
import { timesIn } from './times.ts'

/** A conversation as the index shows it. */
export interface Card {
  /** Its page, relative to the index. */
  page: string
  title: string
  summary: string
  type: string
  status: string
  tags: readonly string[]
  clients: readonly string[]
  people: readonly string[]
  lastActive: string
  messages: number
}

export interface ShownIndex {
  /** Newest first. The numbers in `words` are indexes of this list. */
  cards: readonly Card[]
  words: WordIndex
  /** The number of messages of each day. */
  days: ReadonlyMap<string, number>
  /** The name of the workspace. */
  name: string
  zone: string
}

/** The page of all conversations of a workspace, by day, with a search over all talk and with filters. */
export function indexPage({ cards, words, days, name, zone }: ShownIndex): string {
  const times = timesIn(zone)
  const byDay = new Map<string, { card: Card; number: number }[]>()
  for (const [number, card] of cards.entries()) {
    const day = times.day(card.lastActive)
    byDay.set(day, [...(byDay.get(day) ?? []), { card, number }])
  }
  const said = cards.reduce((sum, { messages }) => sum + messages, 0)
  const data = { words: words.words.join(' '), places: words.places.map(differences).join(';') }
  return pageOf({
    title: `${oneLine(name)} · cortext`,
    style: STYLE + INDEX_STYLE,
    script: INDEX_SCRIPT,
    body: html`<a class="skip" href="#talk">Skip to the conversations</a>
<header class="bar"><div class="bar-inside"><a class="bar-title" href="#talk" dir="auto">${shortLine(name, 120)}</a>
<search class="search"><input id="search" type="search" placeholder="Search all that was said" aria-label="Search all that was said" aria-describedby="count" autocomplete="off" spellcheck="false"><span id="count" role="status"></span></search>
<button type="button" id="theme" aria-label="Light or dark" title="Light or dark">◐</button></div></header>
<div class="page index"><div class="head"><h1 dir="auto">${shortLine(name, 200)}</h1>
<p class="summary">${largeCountOf(cards.length, 'conversation')}, ${largeCountOf(said, 'message')}</p>
${activityDrawing(days)}
<div class="filters" role="group" aria-label="Show only">${FILTERS.map((filter) => choices(filter, cards))}</div></div>
<main id="talk" tabindex="-1">${[...byDay].map(
      ([day, cardsOfDay]) =>
        html`<section class="of-day"><h2 class="day"><span>${day}</span></h2><ul class="cards">${cardsOfDay.map(({ card, number }) => cardOf(card, number))}</ul></section>\n`,
    )}<p class="empty" id="none"${cards.length > 0 && html` hidden`}>No conversation here.</p></main></div>
<footer class="foot"><p>Made by cortext. Times are in ${zone}.</p></footer>
${new Html(`<script type="application/json" id="words">${asJson(data).replaceAll('<', '\\u003c')}</script>`)}`,
  })
}

function cardOf(
  { page, title, summary, type, status, tags, clients, people, messages }: Card,
  number: number,
): Html {
  const list = (values: readonly string[]) => asJson(values)
  return html`<li class="card" data-number="${number}" data-type="${list([type])}" data-tag="${list(tags)}" data-client="${list(clients)}" data-person="${list(people)}"><a href="${page}" dir="auto">${
    shortLine(title, 200) || 'Untitled'
  }</a>${summary.trim() !== '' && html`<p dir="auto">${shortLine(summary, 320)}</p>`}<p class="line"><span class="kind">${shortLine(type, 40)}</span><span>${shortLine(
    status,
    40,
  )}</span><span>${largeCountOf(messages, 'message')}</span>${[...clients, ...people].map(
    (one) => html`<span dir="auto">${shortLine(one, 60)}</span>`,
  )}${tags.map((tag) => html`<span class="tag" dir="auto">${shortLine(tag, 60)}</span>`)}</p></li>`
}

/** The id of a filter, its name on the page, and the values of a card. */
type Filter = readonly [id: string, name: string, valuesOf: (card: Card) => readonly string[]]

const FILTERS: readonly Filter[] = [
  ['type', 'Type', ({ type }) => [type]],
  ['tag', 'Tag', ({ tags }) => tags],
  ['client', 'Client', ({ clients }) => clients],
  ['person', 'Person', ({ people }) => people],
]

function choices([id, name, valuesOf]: Filter, cards: readonly Card[]): Html | undefined {
  const values = [...new Set(cards.flatMap(valuesOf))].sort().slice(0, 300)
  if (values.length < 2) return undefined
  return html`<label>${name} <select id="${id}"><option value="">All</option>${values.map(
    (value) => html`<option value="${value}">${shortLine(value, 60)}</option>`,
  )}</select></label>`
}

/** Writes ascending numbers as the differences between neighbours, because these are shorter. */
function differences(numbers: readonly number[]): string {
  return numbers.map((number, index) => (number - (numbers[index - 1] ?? 0)).toString(36)).join(',')
}
