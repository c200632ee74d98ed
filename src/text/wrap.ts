import { cellsOf, fitCells } from './cells.ts'

/**
 * A line of our own words in as many as a terminal of `width` cells needs, broken between words. What is pasted stays
 * whole: a path, what stands in backticks, and a command behind a colon, which gets a line of its own. A line that is a
 * command, or the `fix:` of an error, stays as it is, since the terminal breaks it so that it can be copied. Codes for
 * bold take no room.
 */
export function wrapLine(line: string, width: number): string[] {
  if (widthOf(line) <= width || width < LEAST || COMMAND.test(line)) return [line]
  const [, head = ''] = /^( *(?:\S+ {2,}(?=\S))?)/.exec(line)!
  const hang = ' '.repeat(head.length > width / 2 ? 0 : head.trim() === '' ? head.length + 2 : head.length)
  const lines: string[] = []
  let now = head
  let isEmpty = true
  for (const { gap, word } of wordsOf(line.slice(head.length), width - hang.length)) {
    const more = isEmpty ? now + word : now + gap + word
    if (isEmpty || widthOf(more) <= width) now = more
    else {
      lines.push(now)
      now = hang + word
    }
    isEmpty = false
  }
  return [...lines, now]
}

/** A narrower terminal is nobody's. */
const LEAST = 20
/** Commands as our own sentences name them. Other words begin with names of programs too: `git tracks …`. */
const STARTS =
  '(?:cortext (?:[a-z]+|--)|git (?:-C|add|commit|config|log|show) |(?:claude|opencode|gemini|codex) -|npm install )'
const COMMAND = new RegExp(`^(?: *(?:→ )?${STARTS}|fix: )`)
const UNITS = new RegExp(`( *)(\`[^\`]*\`[.,;:)]*|(?<=: )${STARTS}.*$|\\S+)`, 'g')
const CODES = new RegExp(`${String.fromCharCode(0x1b)}\\[[\\d;]*m`, 'g')

function widthOf(text: string): number {
  return cellsOf(text.replace(CODES, ''))
}

/** Chinese has no spaces, so that a long word without a `/` is broken anywhere; one with it is a path. */
function wordsOf(text: string, width: number): { gap: string; word: string }[] {
  return [...text.matchAll(UNITS)].flatMap(([, gap = '', word = '']) => {
    if (widthOf(word) <= width || /[/\u001b]| /.test(word)) return [{ gap, word }]
    return piecesOf(word, width).map((piece, at) => ({ gap: at === 0 ? gap : '', word: piece }))
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
