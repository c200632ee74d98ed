import { isTalk, textOf } from './live-path.ts'
import type { Message } from './schema.ts'

/** The title of a conversation that was started without one, until the first thing said gives it a better one. */
export const DEFAULT_TITLE = 'Untitled'

const TITLE_LENGTH = 50

/**
 * A title from the first thing the person said: its first line, cut at a word near 50 characters. Slash
 * commands give their arguments. Undefined when nothing fit was said yet.
 */
export function titleFrom(messages: readonly Message[]): string | undefined {
  for (const message of messages) {
    if (!isTalk(message) || message.role !== 'user') continue
    const text = oneLine(withoutCommand(textOf(message)))
    if (text !== '') return cutAtWord(text, TITLE_LENGTH)
  }
  return undefined
}

/** Text as one line without control characters, so that it can go into a commit message, a list or a terminal. */
export function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim()
}

/**
 * Text without what a terminal would obey: escape sequences and control characters but newline and tab, and the
 * invisible marks that turn the direction of writing.
 */
export function printable(text: string): string {
  return text
    .replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g, '')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '')
}

/** The first `length` characters, cut at a word where one ends in the last third, never inside a character. */
export function cutAtWord(text: string, length: number): string {
  const characters = [...text]
  if (characters.length <= length) return text
  const head = characters.slice(0, length).join('')
  const space = head.lastIndexOf(' ')
  return `${(space > (length * 2) / 3 ? head.slice(0, space) : head).trimEnd()}…`
}

function withoutCommand(text: string): string {
  return text.replace(/^\/[\w.:-]+\s*/, '')
}
