import { basename } from 'node:path'
import { CortextError } from '../../errors.ts'
import { sha256 } from '../../hash.ts'
import { type Inside, isFileInside, readInside, removeInside, writeInside } from '../../io/inside.ts'
import { type Listed, listConversations } from '../../journeys/finding/list.ts'
import { isTalk } from '../../session/live-path.ts'
import { authorOfMessage } from '../../session/sharing/authors.ts'
import { hasAttachment } from '../../store/record/attachments.ts'
import type { Workspace } from '../../workspace/open.ts'
import { type Collected, collect, timeZone } from './collect.ts'
import { conversationPage } from './html/conversation-page.ts'
import { type Card, indexPage } from './html/index-page.ts'
import { indexedWords, indexWords } from './html/index-words.ts'

/** The result of writing all pages of a workspace. */
export interface AllPages {
  /** The number of conversations with a page. */
  pages: number
  /** The paths of the conversations whose pages were written now. */
  written: string[]
  /** The number of pages that were removed, because their conversations are gone or cannot be read. */
  removed: number
  problems: string[]
}

/**
 * Writes an index of all conversations, and a page for each conversation, into a folder, which is created if needed. A
 * page is written again only when its content has changed or its file is missing. `progress` gets the number of the
 * current page, and the number of all conversations. Throws `refused` if the folder has an index.html that `viewAll`
 * did not write, and `unsafe-path`, `disk-full` or `unwritable`.
 */
export function viewAll(
  ws: Workspace,
  folder: Inside,
  mode?: number,
  progress?: (page: number, of: number) => void,
): AllPages {
  const inFolder = (name: string): [root: string, path: string] => [
    folder.root,
    folder.path === '' ? name : `${folder.path}/${name}`,
  ]
  const write = (name: string, text: string) =>
    writeInside(...inFolder(name), text, mode === undefined ? {} : { mode, folderMode: 0o700 })
  const writeState = (pages: State) => write(STATE, `${JSON.stringify({ version: 1, pages })}\n`)
  const before = readState(readInside(...inFolder(STATE)))
  if (before === undefined && isFileInside(...inFolder(INDEX)))
    throw new CortextError('refused', 'the folder has an index.html that cortext did not make', {
      fix: 'name a folder of its own: cortext view --all -o <folder>',
    })
  const stamps = before ?? {}
  // After an interrupted first run, the index is known to be ours.
  if (before === undefined) writeState({})
  const now: State = {}
  const done: AllPages = { pages: 0, written: [], removed: 0, problems: [] }
  const cards: Card[] = []
  const words: Set<string>[] = []
  const days = new Map<string, number>()
  const { conversations, broken } = listConversations(ws)
  for (const { message } of broken) done.problems.push(message)
  const zone = timeZone()
  const dayOf = new Intl.DateTimeFormat('en-CA', { timeZone: zone })
  for (const [index, listed] of conversations.entries()) {
    progress?.(index + 1, conversations.length)
    const collected = collectOrNote(ws, listed, done.problems)
    if (collected === undefined) continue
    const file = fileOf(listed.path)
    const stamp = stampOf(collected, zone)
    if (stamps[listed.path] !== stamp || !isFileInside(...inFolder(file))) {
      write(file, conversationPage({ ...collected.shown, index: `../${INDEX}` }))
      done.written.push(listed.path)
    }
    for (const problem of collected.problems) done.problems.push(problem)
    now[listed.path] = stamp
    const card = cardOf(listed, collected, file)
    cards.push(card)
    words.push(
      indexedWords(collected.shown.messages, [
        card.title,
        card.summary,
        card.type,
        ...card.tags,
        ...card.people,
      ]),
    )
    for (const message of collected.shown.messages.filter(isTalk)) {
      const time = Date.parse(message.timestamp)
      const day = Number.isNaN(time) ? '' : dayOf.format(time)
      days.set(day, (days.get(day) ?? 0) + 1)
    }
  }
  for (const path of Object.keys(stamps).filter((one) => now[one] === undefined)) {
    removeInside(...inFolder(fileOf(path)))
    done.removed += 1
  }
  write(INDEX, indexPage({ cards, words: indexWords(words), days, name: basename(ws.root), zone }))
  // The state is written last, so that the pages of an interrupted run are written again.
  writeState(now)
  return { ...done, pages: cards.length }
}

export const INDEX = 'index.html'
const STATE = '.cortext-view.json'

/** A hash of the content of each page, by the path of its conversation. */
type State = Record<string, string>

/** The state of the last run; undefined when the file is missing. */
function readState(text: string | undefined): State | undefined {
  if (text === undefined) return undefined
  try {
    const { pages } = JSON.parse(text) as { pages?: unknown }
    if (typeof pages !== 'object' || pages === null) return {}
    return Object.fromEntries(Object.entries(pages).map(([path, stamp]) => [path, String(stamp)]))
  } catch {
    // The file is damaged, so every page is written again.
    return {}
  }
}

/** The file name of a page: plain characters only, unique for each conversation. */
function fileOf(path: string): string {
  const words = path
    .replace(/^conversations\//, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .slice(0, 80)
  return `pages/${words}-${sha256(path).slice(0, 10)}.html`
}

function collectOrNote(ws: Workspace, { path }: Listed, problems: string[]): Collected | undefined {
  try {
    return collect(ws, path)
  } catch (error) {
    if (!(error instanceof CortextError)) throw error
    problems.push(error.message)
    return undefined
  }
}

/** A hash that changes with everything that the page shows, and with the code of cortext. */
function stampOf({ shown, conversation }: Collected, zone: string): string {
  const { session, messages, documents } = shown
  const attached = messages.flatMap(({ attachments = [] }) =>
    attachments.map((file) => hasAttachment(conversation.folder, file.sha256)),
  )
  const sources = typeof __SOURCES__ === 'string' ? __SOURCES__ : ''
  return sha256(JSON.stringify([sources, zone, session, messages, documents, attached])).slice(0, 32)
}

declare const __SOURCES__: string

/** A session.json may have any text for a time. */
function isTime(date: Date): boolean {
  return !Number.isNaN(date.getTime())
}

function cardOf(listed: Listed, { shown }: Collected, page: string): Card {
  const clients = new Set(shown.messages.filter(isTalk).flatMap(({ client }) => client ?? []))
  const people = new Set(shown.messages.flatMap((message) => authorOfMessage(message) ?? []))
  return {
    page,
    title: listed.title,
    summary: listed.summary,
    type: listed.type,
    status: listed.archived ? 'archived' : listed.status.status,
    tags: listed.tags.map(String),
    clients: [...clients].map((id) => (Object.hasOwn(shown.clients, id) ? shown.clients[id]! : id)),
    people: [...people],
    lastActive: isTime(listed.lastActive) ? listed.lastActive.toISOString() : '',
    messages: shown.messages.filter(isTalk).length,
  }
}
