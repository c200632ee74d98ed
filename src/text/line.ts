import { withoutInvisible } from './invisible.ts'
import { wholeCharacters } from './whole-characters.ts'

/**
 * Makes a text one line without control characters and invisible characters, so that it can go into a commit message, a
 * list or a terminal.
 */
export function oneLine(text: string): string {
  if (!OTHER_THAN_ONE_LINE.test(text)) return text
  return (
    withoutInvisible(removeControls(text.replace(/[\r\v\f\u0085]/g, ' ')))
      // A match for each word of a very long text would take fifty times its memory.
      .replace(/\s{2,}|[^\S ]/g, ' ')
      .trim()
  )
}

/**
 * Removes what a terminal would obey: escape sequences, control characters other than newline and tab, and the
 * invisible marks that turn the direction of writing.
 */
export function removeControls(text: string): string {
  if (!OBEYED.test(text)) return text
  return (
    text
      .replace(/(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]/g, '')
      // The body of a sequence ends where the next sequence begins. Otherwise each of a thousand unfinished sequences
      // would be read to the end of the text.
      .replace(/(?:\u001b\]|\u009d)[^\u0007\u001b\u009c\u009d]*(?:\u0007|\u001b\\|\u009c)/g, '')
      .replace(/\u001b[@-Z\\-_]/g, '')
      .replace(new RegExp(OBEYED, 'g'), '')
  )
}

/** A text as it is seen once it is printed: with plain line breaks, and without what a terminal obeys. */
export function asPrinted(text: string): string {
  return removeControls(text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text)
}

/** Characters that a terminal obeys, among them the first one of every escape sequence. */
export const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/
/**
 * Matches a text that is not yet one line of plain ASCII words. Most texts are already plain, so this test makes lists
 * quicker. A pattern for the whole text would run out of stack at 8 MB.
 */
const OTHER_THAN_ONE_LINE = /[^ -~]| {2}|^ | $/

/** Makes a text one line of at most `length` characters, and `…` if there is more. Reads only the beginning of it. */
export function shortLine(text: string, length: number): string {
  const read = 8 * length + 1000
  if (text.length <= read) return cutAtWord(oneLine(text), length)
  const line = oneLine(wholeCharacters(text.trimStart().slice(0, read)))
  return cutAtWord(line.length > length ? line : `${line} …`, length)
}

/**
 * The first `length` characters, and `…` if there are more. They are cut between words if a word ends in the last third,
 * and never inside a character.
 */
export function cutAtWord(text: string, length: number): string {
  if (text.length <= length) return text
  // No character takes more than two UTF-16 units. If none takes two, the text itself serves as the list of its
  // characters.
  const head = text.slice(0, 2 * (length + 1))
  const characters = SURROGATE.test(head) ? [...head] : head
  if (characters.length <= length) return text
  const space = characters.lastIndexOf(' ', length)
  const end = space > (length * 2) / 3 ? space : length
  const kept = characters.slice(0, end)
  return `${(typeof kept === 'string' ? kept : kept.join('')).trimEnd()}…`
}

const SURROGATE = /[\ud800-\udfff]/
