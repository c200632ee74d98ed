import type { Listed, Listing } from '../journeys/finding/list.ts'
import { statusWords } from '../session/lifecycle.ts'
import { namesOf, numbersOf } from '../session/names.ts'
import { cellsOf, fitCells, padCells } from '../text/cells.ts'
import { cutAtWord, oneLine } from '../text/line.ts'
import { relativeTime } from '../text/relative-time.ts'

/** Greatest width of a title; its least width, below which a column is left out; and the greatest width of a key. */
const TITLE = { most: 100, least: 30 }
const KEY = 40
const GAP = '  '

/**
 * A table for a terminal: id, type, status, last active, messages, client, keys if there are any, and title. No line is
 * longer than `width` columns: first ids become numbers, then the least useful columns go, and last titles are cut.
 * Without a width, only very long titles are cut. `among` are all conversations, so that a number is unique.
 */
export function conversationTable(
  conversations: readonly Listed[],
  now: Date,
  width?: number,
  among: readonly Listed[] = conversations,
): string[] {
  if (conversations.length === 0)
    return ['No conversations yet. Start one: /workspace.brainstorm <topic> in your AI client.']
  const titles = conversations.map(({ title }) => oneLine(title))
  const room = (columns: readonly Column[]) =>
    (width ?? Number.POSITIVE_INFINITY) - columns.reduce((sum, one) => sum + widthOf(one) + GAP.length, 0)
  const least = Math.min(TITLE.least, Math.max(NARROWEST, widthOf({ head: '', cells: titles })))
  const ways = waysToShow(conversations, among, now)
  const fitting = width === undefined ? ways[0] : ways.find((way) => room(way()) >= least)
  const columns = (fitting ?? ways.at(-1)!)()
  const most = Math.max(Math.min(room(columns), TITLE.most), NARROWEST)
  const lines = tableOf([...columns, { head: 'TITLE', cells: titles.map((title) => fitTitle(title, most)) }])
  return width === undefined ? lines : lines.map((line) => fitCells(line, width))
}

const NARROWEST = 8

/** A column of a table. */
export interface Column {
  head: string
  cells: readonly string[]
}

export function tableOf(columns: readonly Column[]): string[] {
  const widths = columns.map(widthOf)
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => padCells(cell, widths[at]!))
      .join(GAP)
      .trimEnd()
  return [
    line(columns.map(({ head }) => head)),
    ...columns[0]!.cells.map((_, row) => line(columns.map(({ cells }) => cells[row]!))),
  ]
}

export function widthOf({ head, cells }: Column): number {
  return cells.reduce((most, cell) => Math.max(most, cellsOf(cell)), cellsOf(head))
}

/** The sets of columns beside the title, from all columns to the fewest that still identify a conversation. Lazy. */
function waysToShow(
  conversations: readonly Listed[],
  among: readonly Listed[],
  now: Date,
): (() => Column[])[] {
  const column = (head: string, cell: (one: Listed) => string) =>
    once((): Column => ({ head, cells: conversations.map(cell) }))
  const names = once(() => namesOf(conversations, among))
  const numbers = once(() => numbersOf(conversations, among))
  const id = column('ID', (one) => oneLine(names().get(one)!))
  const number = column('ID', (one) => oneLine(numbers().get(one)!))
  const type = column('TYPE', (one) => oneLine(one.type))
  const status = column('STATUS', statusOf)
  const when = column('LAST ACTIVE', (one) => relativeTime(one.lastActive, now))
  const messages = column('MESSAGES', (one) => String(one.messages))
  const client = column('CLIENT', (one) => oneLine(one.client))
  const key = column('KEY', (one) => fitTitle(oneLine(one.key ?? ''), KEY))
  const isKeyed = conversations.some((one) => one.key !== undefined)
  const keys = isKeyed ? [key] : []
  // The column says nothing when all are paused.
  const statuses = conversations.every((one) => statusOf(one) === 'paused') ? [] : [status]
  return [
    [id, type, status, when, messages, client, ...keys],
    [number, type, status, when, messages, client, ...keys],
    [number, type, ...statuses, when, client],
    [number, type, ...statuses, when],
    [number, ...statuses, when],
    [number, when],
    [number],
  ].map((way) => () => way.map((make) => make()))
}

function statusOf({ status, left }: Listed): string {
  return left ? `${statusWords(status)}, not committed` : statusWords(status)
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Cuts a title to a number of columns, between words if a word ends near the end. */
export function fitTitle(title: string, cells: number): string {
  if (cellsOf(title) <= cells) return title
  const cut = cutAtWord(title, cells - 1)
  return cellsOf(cut) <= cells ? cut : fitCells(title, cells)
}

/** ISO 8601, or null for an invalid date. */
export function asTime(date: Date): string | null {
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** Includes `workspace` for conversations that have a `root`. */
export function conversationsAsJson(
  conversations: readonly (Listed & { root?: string })[],
  broken: Listing['broken'],
) {
  return {
    conversations: conversations.map((one) => ({
      id: one.id,
      ...(one.root === undefined ? {} : { workspace: one.root }),
      path: one.path,
      type: one.type,
      title: one.title,
      status: one.status.status,
      auto: one.status.auto,
      last_active: asTime(one.lastActive),
      message_count: one.messages,
      client: one.client,
      summary: one.summary,
      tags: one.tags,
      ...(one.key === undefined ? {} : { key: one.key }),
      archived: one.archived,
      ...(one.left ? { not_committed: true } : {}),
    })),
    broken,
  }
}
