import type { Listed } from '../../journeys/finding/list.ts'
import { statusWords } from '../../session/lifecycle.ts'
import { namesOf } from '../../session/names.ts'
import { cellsOf } from '../../text/cells.ts'
import { oneLine } from '../../text/line.ts'
import { localTime } from '../../text/local-time.ts'
import { relativeTime } from '../../text/relative-time.ts'
import { conversationTable } from '../conversation-lines.ts'

/**
 * Everything that the list knows, with whole titles and ids: a table if that fits the terminal, otherwise a few lines
 * for each conversation. `placeOf` returns the folder of its workspace; with it there are always lines.
 */
export function longList<T extends Listed>(
  conversations: readonly T[],
  now: Date,
  width: number | undefined,
  placeOf?: (one: T) => string,
): string[] {
  if (placeOf === undefined || conversations.length === 0) {
    const table = conversationTable(conversations, now)
    if (conversations.length === 0 || width === undefined) return table
    if (table.every((line) => cellsOf(line) <= width)) return table
  }
  const names = namesOf(conversations)
  return conversations.flatMap((one, index) => [
    ...(index === 0 ? [] : ['']),
    oneLine(one.title) || '(no title)',
    `  ${oneLine(placeOf === undefined ? names.get(one)! : one.datedId)}`,
    ...(placeOf === undefined ? [] : [`  ${placeOf(one)}`]),
    `  ${[one.type, statusWords(one.status), countOf(one), one.client].map(oneLine).join(', ')}`,
    `  ${relativeTime(one.lastActive, now)} (${localTime(one.lastActive)})`,
    ...(one.key === undefined ? [] : [`  key: ${oneLine(one.key)}`]),
    ...(one.tags.length === 0 ? [] : [`  tags: ${oneLine(one.tags.join(', '))}`]),
  ])
}

function countOf({ messages }: Listed): string {
  return `${messages} message${messages === 1 ? '' : 's'}`
}
