import { asJson } from '../text/json.ts'
import { printable } from '../text/line.ts'
import { wrapLine, wrapText } from '../text/wrap.ts'

/** A line, or a list of lines. A long list is handed over as it is: spread into a call it would not fit on the stack. */
type Lines = string | readonly string[]

let clear: (() => void) | undefined

/** What is done before anything is printed: a line that says how far something is, is taken away. */
export function beforePrinting(take: (() => void) | undefined): void {
  clear = take
}

/** All output to stdout goes through here, because text from a record can hold escape sequences. */
export function say(...lines: Lines[]): void {
  clear?.()
  process.stdout.write(`${lines.flat().map(printable).join('\n')}\n`)
}

/** The same for our own words, which a terminal gets broken between words. Not for text that is copied out of it. */
export function tell(...lines: Lines[]): void {
  say(inTerminal(lines.flat(), process.stdout))
}

/** Lines that are no wider than the terminal to which they go, if they go to one. A text of several lines keeps them. */
export function inTerminal(
  lines: readonly string[],
  { isTTY, columns }: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>,
): string[] {
  if (isTTY !== true || !(columns > 0)) return [...lines]
  return lines.flatMap((text) => text.split('\n').flatMap((line) => wrapLine(line, columns)))
}

/** What somebody wrote, in lines that are no wider than the terminal to which the answer goes. */
export function written(text: string): string[] {
  const width = lineWidth()
  return width === undefined ? [text] : wrapText(text, width)
}

/** A part of a line; a bold one stands out in a terminal, and is printed as it is elsewhere. */
export type Piece = string | { bold: string }

/** Prints lines of which some parts stand out. */
export function sayPieces(...lines: (readonly Piece[])[]): void {
  const { isTTY } = process.stdout
  const stands = isTTY === true && process.env.NO_COLOR === undefined && process.env.TERM !== 'dumb'
  const shown = (piece: Piece) => {
    if (typeof piece === 'string') return printable(piece)
    return stands ? `\u001b[1m${printable(piece.bold)}\u001b[22m` : printable(piece.bold)
  }
  const joined = lines.map((line) => line.map(shown).join(''))
  process.stdout.write(`${inTerminal(joined, process.stdout).join('\n')}\n`)
}

/** How many columns the terminal has; undefined where the output goes elsewhere. */
export function lineWidth(): number | undefined {
  return process.stdout.isTTY === true ? process.stdout.columns : undefined
}

/** Prints one JSON document and nothing else. */
export function sayJson(value: unknown): void {
  process.stdout.write(`${asJson(value, 2)}\n`)
}

/** Tells the person something besides the answer. It goes to stderr, so that stdout holds only what was asked for. */
export function note(...lines: Lines[]): void {
  const all = lines.flat()
  if (all.length === 0) return
  clear?.()
  process.stderr.write(`${inTerminal(all.map(printable), process.stderr).join('\n')}\n`)
}

/** Tells the person which conversations nobody stopped and were auto-paused (S1-005d). */
export function noteAutoPaused({
  quiet,
  ended,
}: {
  quiet: readonly string[]
  ended: readonly string[]
}): void {
  note(
    quiet.map((path) => `Quiet for a while, saved as paused: ${path}`),
    ended.map((path) => `Its client is gone, saved as paused: ${path}`),
  )
}
