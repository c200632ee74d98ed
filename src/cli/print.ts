import type { Environment } from '../io/environment.ts'
import { asJson } from '../text/json.ts'
import { oneLine, removeControls } from '../text/line.ts'
import { WORDS, wrapLine, wrapText } from '../text/wrap.ts'

/** A line or a list of lines. A long list is passed as one argument, because spreading it would overflow the stack. */
type Lines = string | readonly string[]

let withoutProgress = (print: () => void): void => print()

/** Sets what `say` and `note` print with, while a line in the terminal shows the progress of work. */
export function printWith(action: (print: () => void) => void = (print) => print()): void {
  withoutProgress = action
}

/** Prints lines on stdout, without control characters: text from a record can contain escape sequences. */
export function say(...lines: Lines[]): void {
  withoutProgress(() => process.stdout.write(`${lines.flat().map(removeControls).join('\n')}\n`))
}

/**
 * Prints texts one after another as they are made, so that a long output needs little memory. Each text has its own
 * line breaks. Waits while the reader of stdout is slow, and stops when the reader has gone. Removes no control
 * characters: `printed` does that.
 */
export async function sayEach(texts: Iterable<string>): Promise<void> {
  let waiting = ''
  for (const text of texts) {
    waiting += text
    if (waiting.length < CHUNK) continue
    if (!(await write(waiting))) return
    waiting = ''
  }
  await write(waiting)
}

const CHUNK = 64 * 1024

/** Writes to stdout, and waits while its reader is slow. Returns false when there is no reader any more. */
async function write(text: string): Promise<boolean> {
  const { stdout } = process
  if (stdout.destroyed) return false
  if (stdout.write(text)) return true
  return new Promise((resolve) => {
    const end = () => {
      for (const event of ['drain', 'close', 'error']) stdout.off(event, end)
      resolve(!stdout.destroyed)
    }
    for (const event of ['drain', 'close', 'error']) stdout.on(event, end)
  })
}

/** Like `say`, but wraps lines to the width of the terminal. Not for text that a person copies. */
export function sayWrapped(...lines: Lines[]): void {
  say(wrapForTerminal(lines.flat(), process.stdout))
}

/** Wraps lines to the width of a terminal, and returns them unchanged for other outputs. Keeps line breaks. */
export function wrapForTerminal(
  lines: readonly string[],
  { isTTY, columns }: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>,
  units?: RegExp,
): string[] {
  if (isTTY !== true || !(columns > 0)) return [...lines]
  return lines.flatMap((text) => text.split('\n').flatMap((line) => wrapLine(line, columns, units)))
}

/** Wraps a recorded text to the terminal's width, less `left` cells. */
export function wrapProse(text: string, left = 0): string[] {
  const width = lineWidth()
  return width === undefined ? [text] : wrapText(text, width - left)
}

/** A part of a line. A `bold` part is bold in a terminal and plain elsewhere. */
export type Piece = string | { bold: string }

/** Prints lines that have bold parts. */
export function sayPieces(...lines: (readonly Piece[])[]): void {
  process.stdout.write(`${shownLines(lines).join('\n')}\n`)
}

/** How many rows of the terminal `sayPieces` takes for these lines. */
export function rowsOf(lines: readonly (readonly Piece[])[]): number {
  return shownLines(lines).length
}

function shownLines(lines: readonly (readonly Piece[])[]): string[] {
  const isBold = process.stdout.isTTY === true && allowsMarks(process.env)
  const shown = (piece: Piece) => {
    if (typeof piece === 'string') return removeControls(piece)
    return isBold ? `\u001b[1m${removeControls(piece.bold)}\u001b[22m` : removeControls(piece.bold)
  }
  const joined = lines.map((line) => line.map(shown).join(''))
  return wrapForTerminal(joined, process.stdout, WORDS)
}

/** Whether a terminal gets bold text and colours. An empty `NO_COLOR` counts as none (no-color.org). */
export function allowsMarks({ NO_COLOR = '', TERM }: Environment['env']): boolean {
  return NO_COLOR === '' && TERM !== 'dumb'
}

/** Width of the terminal in columns; undefined when the output is not a terminal. */
export function lineWidth(): number | undefined {
  return process.stdout.isTTY === true ? process.stdout.columns : undefined
}

/** Height of the terminal in rows; undefined when the output is not a terminal, or one that does not say it. */
export function screenRows(): number | undefined {
  const { isTTY, rows } = process.stdout
  return isTTY === true && rows > 0 ? rows : undefined
}

/** Makes the lines of `say` one text for `sayEach`. */
export function printed(lines: readonly string[]): string {
  return `${lines.map(removeControls).join('\n')}\n`
}

/**
 * Prints what `sayJson` prints for `{ ...before, [name]: [...items], ...after }`, item by item. `before` and `after`
 * are not empty.
 */
export async function sayJsonList(
  before: object,
  name: string,
  items: Iterable<unknown>,
  after: object,
): Promise<void> {
  await sayEach(jsonList(before, name, items, after))
}

function* jsonList(before: object, name: string, items: Iterable<unknown>, after: object): Generator<string> {
  yield `${asJson(before, 2).slice(0, -2)},\n  ${JSON.stringify(name)}: [`
  let end = '],'
  for (const item of items) {
    yield `${end === '],' ? '' : ','}\n    ${asJson(item, 2).replaceAll('\n', '\n    ')}`
    end = '\n  ],'
  }
  yield `${end}${asJson(after, 2).slice(1)}\n`
}

/** Prints one JSON document and nothing else. */
export function sayJson(value: unknown): void {
  process.stdout.write(`${asJson(value, 2)}\n`)
}

/** Prints lines that are not the verb's answer. They go to stderr, so that stdout contains only the answer. */
export function note(...lines: Lines[]): void {
  const all = lines.flat()
  if (all.length === 0) return
  const text = wrapForTerminal(all.map(removeControls), process.stderr).join('\n')
  withoutProgress(() => process.stderr.write(`${text}\n`))
}

/** Names the first paths, and says how many more there are. */
export function inShort(paths: readonly string[]): string {
  const shown = paths.slice(0, MAX_NAMED).map(oneLine).join(', ')
  return paths.length > MAX_NAMED ? `${shown} and ${paths.length - MAX_NAMED} more` : shown
}

const MAX_NAMED = 4

/** Prints which conversations were auto-paused: quiet ones, and those whose client has ended. */
export function noteAutoPaused({
  quiet,
  ended,
}: {
  quiet: readonly string[]
  ended: readonly string[]
}): void {
  note(
    quiet.map((path) => `Saved and paused, because nothing was said for a while: ${path}`),
    ended.map((path) => `Saved and paused, because its client is gone: ${path}`),
  )
}
