import { cellsOf, fitCells } from './cells.ts'

/**
 * Breaks a line that cortext wrote, between words, for a terminal of `width` cells. Text to paste stays whole: a path,
 * text in backticks, and a command after a colon. Such a command gets a line of its own. A line that is a command, or
 * the `fix:` of an error, stays as it is. If the terminal breaks such a line, it can still be copied. Codes for bold
 * take no cells. Further lines are indented to the second column of the first line. If the first line has only one
 * column, further lines are indented by two cells more.
 */
export function wrapLine(line: string, width: number, units = UNITS): string[] {
  const [, head = ''] = /^( *(?:\S+ {2,}(?=\S))?)/.exec(line)!
  return breakLine(line, width, { head, indent: head.trim() === '' ? head.length + 2 : head.length, units })
}

/**
 * Breaks a recorded text into lines for a terminal of `width` cells. Prose and lists are broken between words. Code
 * stays as it is, so that it can be copied.
 */
export function wrapText(text: string, width: number): string[] {
  let isCode = false
  return text.split('\n').flatMap((line) => {
    const isFence = /^\s*(?:```|~~~)/.test(line)
    if (isFence) isCode = !isCode
    if (isFence || isCode || INDENTED_CODE.test(line)) return [line]
    const [head, , mark = ''] = /^( *)((?:[-*+>]|\d{1,3}[.)]) +)?/.exec(line)!
    return breakLine(line, width, { head: head.slice(0, head.length - mark.length), indent: head.length })
  })
}

const INDENTED_CODE = /^(?: {4}|\t)(?!\s*(?:[-*+]|\d{1,3}[.)]) )/

/** Breaks a line after its `head`; further lines are indented by `indent` if that leaves them half of the width. */
function breakLine(
  line: string,
  width: number,
  { head, indent, units = UNITS }: { head: string; indent: number; units?: RegExp },
): string[] {
  if (widthOf(line) <= width || width < MIN_WIDTH || COMMAND.test(line)) return [line]
  const hang = ' '.repeat(indent > width / 2 ? 0 : indent)
  const lines: string[] = []
  let now = head
  let isEmpty = true
  for (const { gap, word } of wordsWithGaps(line.slice(head.length), width - hang.length, units)) {
    const more = isEmpty ? now + word : now + gap + word
    if (isEmpty || widthOf(more) <= width) now = more
    else {
      lines.push(now)
      // A path that fits without the whole indent stays on one line.
      const room = width - widthOf(word)
      now = (room < 0 ? hang : hang.slice(0, room)) + word
    }
    isEmpty = false
  }
  return [...lines, now]
}

/** No terminal that a person uses is narrower. */
const MIN_WIDTH = 20
/**
 * Beginnings of the commands in sentences of cortext: commands of cortext, git and npm, and any program with a long
 * option. The name of a program alone is not enough, because prose begins with it too (`git tracks …`), and so does a
 * title such as `rm -rf`.
 */
const COMMAND_STARTS =
  '(?:cortext (?:[a-z]+|--)|git (?:-C|add|commit|config|log|show) |npm install |[a-z][a-z0-9-]* --[a-z])'
const COMMAND = new RegExp(`^(?: *(?:→ )?${COMMAND_STARTS}|fix: )`)
const UNITS = new RegExp(`( *)(\`[^\`]*\`[.,;:)]*|(?<=: )${COMMAND_STARTS}.*$|\\S+)`, 'g')
/** For text that nobody copies: code is broken as other words are. */
export const WORDS = /( *)(\S+)/g
const CODES = new RegExp(`${String.fromCharCode(0x1b)}\\[[\\d;]*m`, 'g')

function widthOf(text: string): number {
  return cellsOf(text.replace(CODES, ''))
}

/** A longer word is data and not for reading. The terminal breaks it. */
const MAX_WORD_LENGTH = 4000

/**
 * Splits a text into words. Chinese has no spaces, so a long word is broken anywhere. But a path, a command and a word
 * with codes for bold stay whole.
 */
function wordsWithGaps(text: string, width: number, units: RegExp): { gap: string; word: string }[] {
  return [...text.matchAll(units)].flatMap(([, gap = '', word = '']) => {
    if (word.length > MAX_WORD_LENGTH || widthOf(word) <= width || /[/\u001b]| /.test(word))
      return [{ gap, word }]
    return piecesOf(word, width).map((piece, index) => ({ gap: index === 0 ? gap : '', word: piece }))
  })
}

function piecesOf(word: string, width: number): string[] {
  const pieces: string[] = []
  for (let rest = word; rest !== ''; rest = rest.slice(pieces.at(-1)!.length)) {
    const piece = cellsOf(rest) <= width ? rest : fitCells(rest, width).slice(0, -1)
    pieces.push(piece === '' ? rest : piece)
  }
  return pieces
}
