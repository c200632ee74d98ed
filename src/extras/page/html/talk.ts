import { contentOf } from '../../../session/live-path.ts'
import { prunedEvent } from '../../../session/pruning/event.ts'
import type { Message } from '../../../session/schema.ts'
import { authorOfMessage } from '../../../session/sharing/authors.ts'
import { oneLine, shortLine } from '../../../text/line.ts'
import { type Calls, callBlock, looseResult } from './call.ts'
import type { Entry, Mark, Talk } from './entries.ts'
import { type Html, html } from './html.ts'
import { textWithoutAttachments } from './images.ts'
import { markdown } from './markdown.ts'
import type { Times } from './times.ts'

/** The data that is needed to show the talk. */
export interface TalkData extends Calls {
  times: Times
  /** The names of clients, by their ids. */
  clients: Readonly<Record<string, string>>
}

/** Entries that a browser lays out together when the person scrolls near them. */
export interface Part {
  content: Html
  /** The approximate height in a wide window, in pixels. */
  height: number
}

/**
 * Shows the talk in parts, entry by entry, with a line where a day begins. A browser lays out only the parts that it
 * shows, so that a page of twenty thousand messages opens at once and scrolls without a wait. If each message were a
 * part, the browser would check thousands of parts at every step of scrolling.
 */
export function talkOf(entries: readonly Entry[], data: TalkData): Part[] {
  let day = ''
  const parts: Part[] = []
  for (let begin = 0; begin < entries.length; begin += ENTRIES_PER_PART) {
    const part = entries.slice(begin, begin + ENTRIES_PER_PART)
    const content = part.flatMap((entry, index) => {
      if (entry.kind !== 'talk') return [markOf(datedByTalk(entry, entries, begin + index), data, day)]
      const of = data.times.day(entry.message.timestamp)
      const turn = of === day ? [] : [html`<h3 class="day"><span>${of}</span></h3>`]
      day = of
      return [...turn, turnOf(entry, data)]
    })
    parts.push({ content: html`${content}`, height: part.reduce((sum, entry) => sum + heightOf(entry), 0) })
  }
  return parts
}

const ENTRIES_PER_PART = 32

/**
 * An import's event has the time of the import, which is later than the imported talk. The talk after it says when that
 * was. An event begins no day.
 */
function datedByTalk(entry: Mark, entries: readonly Entry[], at: number): Mark {
  const { message } = entry
  if (message.event !== 'started' && message.event !== 'resumed') return entry
  const next = entries.slice(at, at + ENTRIES_PER_PART).find(({ kind }) => kind === 'talk')
  if (next === undefined || !(Date.parse(next.message.timestamp) < Date.parse(message.timestamp)))
    return entry
  return { ...entry, message: { ...message, timestamp: next.message.timestamp } }
}

/** The name of the speaker as a page shows it. */
export function speakerOf(message: Message, clients: TalkData['clients']): string {
  return message.role === 'user' ? (authorOfMessage(message) ?? 'You') : clientName(message.client, clients)
}

export function clientName(client: string | undefined, clients: TalkData['clients']): string {
  if (client === undefined) return 'Agent'
  return Object.hasOwn(clients, client) ? clients[client]! : shortLine(client, 40)
}

function turnOf({ number, message, live, calls, continues }: Talk, data: TalkData): Html {
  const { clients, times, budget, images } = data
  const speaker = speakerOf(message, clients)
  const text = textWithoutAttachments(message)
  const role = message.role === 'user' ? 'user' : 'agent'
  const tags = [role, !live && 'back', continues && live && 'goes-on'].filter(Boolean)
  const by = role === 'user' ? message.client && `in ${clientName(message.client, clients)}` : message.model
  return html`<article id="m-${number}" class="${tags.join(' ')}" aria-label="Message ${number}, ${speaker}${!live && ', taken back'}">
<header><span class="who" dir="auto">${speaker}</span>${
    by !== undefined && html`<span class="by" dir="auto">${shortLine(by, 60)}</span>`
  }${!live && html`<span class="by">taken back</span>`}<span class="end"><button type="button" class="copy" aria-label="Copy message ${number}">Copy</button>${times.clock(message.timestamp)}<a class="number" href="#m-${number}" aria-label="Link to message ${number}">#${number}</a></span></header>
${message.reasoning !== undefined && message.reasoning.trim() !== '' && thinking(message.reasoning, data)}${
  text !== '' && html`<div class="said">${markdown(text, budget)}</div>`
}${images.of(message)}${calls.length > 0 && html`<div class="calls">${calls.map((one) => callBlock(one, message, data))}</div>`}</article>
`
}

function thinking(text: string, { budget }: TalkData): Html {
  return html`<details class="thinking"><summary>Thinking</summary><div class="inside said">${markdown(text, budget)}</div></details>`
}

function markOf({ kind, message, live }: Mark, data: TalkData, day: string): Html {
  const { times } = data
  if (kind === 'result')
    return html`<div class="calls${!live && ' back'}">${looseResult(message, data)}</div>\n`
  const [words, more] =
    kind === 'system' ? ['Instruction of the client', contentOf(message)] : eventOf(message, data)
  const line = html`<span class="words" dir="auto">${words}</span>${times.day(message.timestamp) === day ? times.clock(message.timestamp) : html`<span>${times.date(message.timestamp)}</span>`}`
  if (more.trim() === '') return html`<p class="mark">${line}</p>\n`
  return html`<details class="mark${!live && ' back'}"><summary>${line}</summary><div class="inside said">${markdown(more, data.budget)}</div></details>\n`
}

/** The title of an event, and the text inside it. */
function eventOf(message: Message, { clients }: TalkData): [words: string, more: string] {
  const client = message.client === undefined ? '' : ` in ${clientName(message.client, clients)}`
  const text = [contentOf(message), summaryOf(message)].filter((part) => part.trim() !== '').join('\n\n')
  if (message.event === 'pruned') {
    const pruned = prunedEvent(message)
    return [
      shortLine(contentOf(message), 200) || 'Earlier lines were moved out of the record',
      pruned?.summary ?? '',
    ]
  }
  const words = Object.hasOwn(EVENTS, message.event!) ? EVENTS[message.event!] : undefined
  if (message.event === 'cleared')
    return [message.anew === true ? 'Began again' : `Window cleared${client}`, text]
  const where = WITHOUT_CLIENT.includes(message.event!) ? '' : client
  return [words === undefined ? `Event: ${oneLine(message.event!).slice(0, 60)}` : words + where, text]
}

const EVENTS: Record<string, string> = {
  started: 'Started',
  resumed: 'Resumed',
  compacted: 'Context compacted',
  interrupted: 'Interrupted',
  rewound: 'Rewound: what is greyed above was taken back',
  unknown: 'Not understood',
}

/** The messages around these events show the client, so the page does not repeat it. */
const WITHOUT_CLIENT = ['rewound', 'interrupted']

function summaryOf({ summary }: Message): string {
  return typeof summary === 'string' ? summary : ''
}

/** The approximate height of an entry in pixels, for the scroll bar. */
function heightOf(entry: Entry): number {
  if (entry.kind !== 'talk') return 48
  let lines = entry.calls.length * 1.3
  const text = textWithoutAttachments(entry.message).slice(0, 20_000)
  for (const line of text.split('\n')) lines += Math.ceil(line.length / 84) || 0.5
  return Math.round(lines * 26 + (entry.continues ? 28 : 80))
}
