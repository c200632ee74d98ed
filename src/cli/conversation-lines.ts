import { basename } from 'node:path'
import type { Listed, Listing } from '../journeys/finding/list.ts'
import { statusWords } from '../session/lifecycle.ts'
import { cellsOf, fitCells, padCells } from '../text/cells.ts'
import { countOf } from '../text/count-of.ts'
import { cutAtWord, oneLine } from '../text/line.ts'
import { localTime } from '../text/local-time.ts'
import { relativeTime } from '../text/relative-time.ts'

/** Widths in columns of the terminal. To leave MIN_TITLE for a title, the table leaves out other columns. */
const MAX_TITLE = 100
const MIN_TITLE = 30
const MAX_KEY = 40
const MAX_PLACE = 20
const GAP = '  '

/**
 * A table of conversations for a terminal or a program; the first word of each line is the conversation's name. No line
 * is wider than `width`. If the table does not fit, it leaves out the least useful columns, and at last cuts titles.
 * Without a width, only titles and keys over their maximum are cut. Without `now`, the table shows days instead of
 * relative times.
 */
export function conversationTable(
  conversations: readonly Listed[],
  now: Date | undefined,
  width?: number,
): string[] {
  if (conversations.length === 0)
    return ['No conversations yet. Start one: /workspace.brainstorm <topic> in your AI client.']
  const titles = conversations.map(({ title }) => oneLine(title))
  const room = (columns: readonly Column[]) =>
    (width ?? Number.POSITIVE_INFINITY) - columns.reduce((sum, one) => sum + widthOf(one) + GAP.length, 0)
  const needed = Math.min(MIN_TITLE, Math.max(NARROWEST_TITLE, widthOf({ cells: titles })))
  const sets = columnSets(conversations, now)
  const fitting = width === undefined ? sets[0] : sets.find((set) => room(set()) >= needed)
  const columns = (fitting ?? sets.at(-1)!)()
  const titleWidth = Math.max(Math.min(room(columns), MAX_TITLE), NARROWEST_TITLE)
  const cells = titles.map((title) => fitTitle(title, titleWidth))
  const lines = tableOf([...columns, { head: 'TITLE', cells }])
  return width === undefined ? lines : lines.map((line) => fitCells(line, width))
}

/** The minimum width of the title column. A line that is still too wide is cut as a whole. */
const NARROWEST_TITLE = 8

/** A column of a table. Without heads, the table has no line of them. */
export interface Column {
  head?: string
  cells: readonly string[]
}

export function tableOf(columns: readonly Column[]): string[] {
  const widths = columns.map(widthOf)
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => padCells(cell, widths[index]!))
      .join(GAP)
      .trimEnd()
  return [
    ...(columns.every(({ head }) => head === undefined) ? [] : [line(columns.map(({ head = '' }) => head))]),
    ...columns[0]!.cells.map((_, row) => line(columns.map(({ cells }) => cells[row]!))),
  ]
}

export function widthOf({ head = '', cells }: Column): number {
  return cells.reduce((widest, cell) => Math.max(widest, cellsOf(cell)), cellsOf(head))
}

/**
 * The sets of columns that the table can have before the title, the widest set first. The last set is only the name.
 * A column is computed when it is first used.
 */
function columnSets(conversations: readonly Listed[], now: Date | undefined): (() => Column[])[] {
  const column = (head: string, cell: (one: Listed) => string) =>
    once((): Column => ({ head, cells: conversations.map(cell) }))
  const id = column('ID', ({ name }) => name)
  const type = column('TYPE', (one) => oneLine(one.type))
  const status = column('STATUS', statusOf)
  const when = column('LAST ACTIVE', ({ lastActive }) =>
    now === undefined
      ? asTime(lastActive) === null
        ? ''
        : localTime(lastActive).slice(0, 10)
      : relativeTime(lastActive, now),
  )
  const messages = column('MESSAGES', (one) => String(one.messages))
  const client = column('CLIENT', (one) => oneLine(one.client))
  const key = column('KEY', (one) => fitTitle(oneLine(one.key ?? ''), MAX_KEY))
  const isKeyed = conversations.some((one) => one.key !== undefined)
  const keys = isKeyed ? [key] : []
  // If all conversations are paused, the status column tells nothing.
  const statuses = conversations.every((one) => statusOf(one) === 'paused') ? [] : [status]
  return [
    [id, type, status, when, messages, client, ...keys],
    [id, type, ...statuses, when, client],
    [id, type, ...statuses, when],
    [id, ...statuses, when],
    [id, when],
    [id],
  ].map((set) => () => set.map((make) => make()))
}

function statusOf({ status, left, live, worktree, keptHere }: Listed): string {
  const place =
    live && worktree !== undefined ? ` in ${fitTitle(oneLine(basename(worktree)), MAX_PLACE)}` : ''
  return `${statusWords(status)}${place}${left ? ', not committed' : ''}${keptHere ? ', kept here' : ''}`
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Cuts a title to a number of columns, between words if a word ends near the limit. */
export function fitTitle(title: string, cells: number): string {
  if (cellsOf(title) <= cells) return title
  const cut = cutAtWord(title, cells - 1)
  return cellsOf(cut) <= cells ? cut : fitCells(title, cells)
}

/** ISO 8601, or null for an invalid date. */
export function asTime(date: Date): string | null {
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

export function conversationsAsJson(
  conversations: readonly (Listed & { root?: string })[],
  broken: Listing['broken'],
) {
  return {
    conversations: conversations.map((one) => ({
      id: one.ownId,
      name: one.name,
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
      ...(one.keptHere && { keep_here: true }),
      ...(one.worktree === undefined ? {} : { worktree: one.worktree }),
      ...(one.left ? { not_committed: true } : {}),
    })),
    broken,
  }
}

/**
 * The lines of `list --long`: a few for each conversation, with its whole title, its path and its tags. `placeOf` returns
 * the folder of a conversation's workspace.
 */
export function longList<T extends Listed>(
  conversations: readonly T[],
  now: Date,
  placeOf?: (one: T) => string,
): string[] {
  if (conversations.length === 0) return conversationTable(conversations, now)
  return conversations.flatMap((one, index) => [
    ...(index === 0 ? [] : ['']),
    `${one.name}  ${oneLine(one.title) || '(no title)'}`,
    ...(placeOf === undefined ? [] : [`  ${placeOf(one)}`]),
    `  ${oneLine(one.path)}`,
    `  ${[one.type, statusWords(one.status), countOf(one.messages, 'message'), one.client].map(oneLine).join(', ')}`,
    `  ${relativeTime(one.lastActive, now)} (${localTime(one.lastActive)})`,
    ...(one.worktree === undefined ? [] : [`  ${one.live ? 'open' : 'last'} in ${oneLine(one.worktree)}`]),
    ...(one.key === undefined ? [] : [`  key: ${oneLine(one.key)}`]),
    ...(one.tags.length === 0 ? [] : [`  tags: ${oneLine(one.tags.join(', '))}`]),
  ])
}
