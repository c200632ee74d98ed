import { textOf } from '../../../session/live-path.ts'
import type { Message, SessionFile } from '../../../session/schema.ts'
import type { ToolVocabulary } from '../../../session/tool-use.ts'
import { largeCountOf } from '../../../text/count-of.ts'
import { oneLine, shortLine } from '../../../text/line.ts'
import { MAX, newBudget } from './bounds.ts'
import { CONVERSATION_SCRIPT, STYLE } from './browser.ts'
import { type Entry, entriesOf, type Talk } from './entries.ts'
import { type Html, html } from './html.ts'
import { newImages, type ReadAttachment } from './images.ts'
import { markdown } from './markdown.ts'
import { pageOf } from './shell.ts'
import { clientName, speakerOf, type TalkData, talkOf } from './talk.ts'
import { timesIn } from './times.ts'

/** The data of a conversation's page. */
export interface ShownConversation {
  /** The workspace-relative path. */
  path: string
  session: SessionFile
  messages: readonly Message[]
  /** The markdown files of the conversation, by name. */
  documents: readonly { name: string; text: string }[]
  read: ReadAttachment
  tools: ToolVocabulary
  clients: Readonly<Record<string, string>>
  /** The time zone of the times on the page, such as `Europe/Berlin`. */
  zone: string
  /** The messages that the page shows; each keeps its number. Absent: all messages. */
  only?: ReadonlySet<Message>
  /** Which messages are left out because the page would be too long, and how to see them. */
  left?: string
  /** The path of the index of all conversations, relative to this page. */
  index?: string
}

/** Makes a self-contained HTML file of one conversation. */
export function conversationPage(shown: ShownConversation): string {
  const { session, clients } = shown
  const entries = entriesOf(shown.messages).filter(({ message }) => shown.only?.has(message) ?? true)
  const budget = newBudget()
  const data: TalkData = {
    tools: shown.tools,
    clients,
    budget,
    images: newImages(shown.read),
    times: timesIn(shown.zone),
  }
  // A page colours only `MAX.allColoured` characters of code. Documents are made first, so theirs come before the talk's.
  const documents = shown.documents.map(
    ({ name, text }) =>
      html`<section class="document" aria-label="Document ${name}"><h2><span dir="auto">${name}</span></h2><div class="said">${markdown(
        text.slice(0, MAX.document),
        budget,
      )}</div></section>`,
  )
  const prompts = entries.filter(
    (entry): entry is Talk => entry.kind === 'talk' && entry.message.role === 'user',
  )
  const aside = [...documents, ...(prompts.length > 1 ? [turns(prompts)] : [])]
  const title = oneLine(session.title) || shown.path
  const parts = talkOf(entries, data)
  const heights = parts.map(({ height }, index) => `.p${index}{--height:${height}}`).join('')
  return pageOf({
    title: `${title} · cortext`,
    style: STYLE + heights,
    script: CONVERSATION_SCRIPT,
    body: html`<a class="skip" href="#talk">Skip to the talk</a>
${bar(title, shown.index)}
<div class="page${aside.length > 0 && ' two'}">
<div class="head">${heading(title, shown, entries, data)}${
      aside.length > 0 &&
      html`<p class="jump"><a href="#beside">${documents.length > 0 ? 'To the document' : 'To the turns'}</a></p>`
    }</div>
<main id="talk" tabindex="-1"><h2 class="unseen">The talk</h2>${shown.left !== undefined && html`<p class="left">Left out: ${shown.left}</p>`}
${parts.map(({ content }, index) => html`<div class="part p${index}">${content}</div>\n`)}${entries.length === 0 && html`<p class="empty">Nothing was said yet.</p>`}</main>
${aside.length > 0 && html`<aside id="beside" aria-label="Beside the talk" tabindex="-1">${aside}</aside>`}
</div>
<footer class="foot"><p>Made by cortext from <span dir="auto">${oneLine(shown.path)}</span>. Times are in ${shown.zone}.</p></footer>
<div class="unseen" role="status" id="status"></div>`,
  })
}

function bar(title: string, index: string | undefined): Html {
  return html`<header class="bar"><div class="bar-inside">${
    index !== undefined && html`<a class="all" href="${index}">All</a>`
  }<a class="bar-title" href="#talk" dir="auto">${shortLine(title, 120)}</a>
<search class="search"><input id="search" type="search" placeholder="Search" aria-label="Search this conversation" aria-describedby="count" autocomplete="off" spellcheck="false"><span id="count" role="status"></span><button type="button" id="previous" aria-label="Previous match" hidden>↑</button><button type="button" id="next" aria-label="Next match" hidden>↓</button></search>
<button type="button" id="unfold" aria-pressed="false" aria-label="Unfold all" title="Unfold all">Unfold</button><button type="button" id="theme" aria-label="Light or dark" title="Light or dark">◐</button></div></header>`
}

function heading(
  title: string,
  { session, clients, only }: ShownConversation,
  entries: readonly Entry[],
  data: TalkData,
): Html {
  const { times } = data
  const talk = entries.filter((entry): entry is Talk => entry.kind === 'talk')
  const named = new Set(
    talk.flatMap(({ message }) =>
      message.role === 'user' && message.author ? [speakerOf(message, clients)] : [],
    ),
  )
  const used = new Set(talk.flatMap(({ message }) => message.client ?? []))
  const models = new Set(talk.flatMap(({ message }) => message.model ?? []))
  const [from, to] = [times.date(session.created_at), times.date(session.last_active)]
  const facts: [string, string][] = [
    ['When', from === to ? from : `${from} – ${to}`],
    ['Said', largeCountOf(talk.length, 'message')],
    [
      'Part',
      only === undefined || talk.length === 0 ? '' : `from #${talk[0]!.number} to #${talk.at(-1)!.number}`,
    ],
    ['In', [...used].map((id) => clientName(id, clients)).join(', ')],
    ['Model', [...models].slice(0, 6).join(', ')],
    ['By', [...named].slice(0, 12).join(', ')],
  ]
  const tags = (session.tags ?? []).slice(0, 30)
  return html`<p class="kind">${oneLine(session.conversation_type)} <span class="status ${session.status}">${session.status}</span></p>
<h1 dir="auto">${shortLine(title, 300)}</h1>
${session.context_summary.trim() !== '' && html`<p class="summary" dir="auto">${shortLine(session.context_summary, 1500)}</p>`}
<dl class="facts">${facts
    .filter(([, value]) => value !== '')
    .map(
      ([name, value]) => html`<div><dt>${name}</dt><dd dir="auto">${shortLine(value, 300)}</dd></div>`,
    )}</dl>${tags.length > 0 && html`<ul class="tags" aria-label="Tags">${tags.map((tag) => html`<li dir="auto">${shortLine(String(tag), 60)}</li>`)}</ul>`}`
}

/**
 * Returns links to the person's prompts. They are in lists of the same length, because page.css tells a browser how high
 * a `whole` list is, and that it need not lay out a list that it does not show.
 */
function turns(prompts: readonly Talk[]): Html {
  const lists = Array.from({ length: Math.ceil(prompts.length / LINKS_PER_LIST) }, (_, index) =>
    prompts.slice(index * LINKS_PER_LIST, (index + 1) * LINKS_PER_LIST),
  )
  return html`<nav class="turns" aria-label="Turns"><h2>Turns</h2>${lists.map(
    (list) => html`<ol${list.length === LINKS_PER_LIST && html` class="whole"`}>${list.map(turn)}</ol>`,
  )}</nav>`
}

const LINKS_PER_LIST = 100

function turn({ number, message, live }: Talk): Html {
  return html`<li${!live && html` class="back"`}><a href="#m-${number}" dir="auto">${shortLine(textOf(message), 90) || 'Attachment'}</a></li>`
}
