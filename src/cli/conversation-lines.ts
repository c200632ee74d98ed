import type { Listed, Listing } from '../journeys/finding/list.ts'
import { statusWords } from '../session/lifecycle.ts'
import { namesOf } from '../session/names.ts'
import { cutAtWord, oneLine } from '../text/line.ts'
import { relativeTime } from '../text/relative-time.ts'

const TITLE_WIDTH = 100

/** A table for a terminal: id, type, status, last active, messages and title, and keys if there are any. */
export function conversationTable(conversations: readonly Listed[], now: Date): string[] {
  if (conversations.length === 0)
    return ['No conversations yet. Start one: /workspace.brainstorm <topic> in your AI client.']
  const names = namesOf(conversations)
  const keyed = conversations.some(({ key }) => key !== undefined)
  const rows = conversations.map((one) => [
    names.get(one)!,
    one.type,
    statusWords(one.status),
    relativeTime(one.lastActive, now),
    String(one.messages),
    cutAtWord(oneLine(one.title), TITLE_WIDTH),
    ...(keyed ? [cutAtWord(oneLine(one.key ?? ''), TITLE_WIDTH)] : []),
  ])
  const head = ['ID', 'TYPE', 'STATUS', 'LAST ACTIVE', 'MESSAGES', 'TITLE', ...(keyed ? ['KEY'] : [])]
  const table = [head, ...rows]
  const widths = head.map((_, column) => table.reduce((most, row) => Math.max(most, row[column]!.length), 0))
  return table.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column]!)))
      .join('  ')
      .trimEnd(),
  )
}

/** ISO 8601, or null where a file holds no time that can be read. */
export function asTime(date: Date): string | null {
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** With `root`, the workspace is told too. */
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
    })),
    broken,
  }
}
