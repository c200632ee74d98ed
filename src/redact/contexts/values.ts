/** Finds where quoted strings of a text end. A search that begins within a known string reads nothing. */
export class Quotes {
  /** Number of letters read so far. The tests compare it with the length of the text. */
  steps = 0
  readonly #cache = new Map<string, { from: number; upTo: number; end: number | undefined }>()

  constructor(private readonly text: string) {}

  /**
   * The end of the string that begins at `from` after the quote `open`, or undefined when its line ends first. A text
   * that was escaped once opens its strings by `\"`, twice by `\\\"`: by k backslashes and a quote, k = 0, 1, 3, 7. An
   * escaped backslash is 2 (k + 1) of them there. A quote that closes the string has k backslashes more than whole
   * escaped ones. So after `\"`, a quote with 1, 5 or 9 backslashes closes, and one with 3 is inside.
   */
  closing(from: number, open: string): number | undefined {
    const quote = open.at(-1)!
    const depth = open.split('\\').length - 1
    const key = `${depth}${quote}`
    const cached = this.#cache.get(key)
    if (cached !== undefined && from >= cached.from && from <= cached.upTo) return cached.end
    const { upTo, end } = this.#search(from, quote, depth)
    this.#cache.set(key, { from, upTo, end })
    this.steps += upTo - from
    return end
  }

  #search(from: number, quote: string, depth: number): { upTo: number; end: number | undefined } {
    let backslashes = 0
    for (let i = from; i < this.text.length; i++) {
      const char = this.text[i]!
      if (char === '\\') {
        backslashes++
      } else if (char === '\n') {
        return { upTo: i, end: undefined }
      } else {
        if (char === quote && backslashes % (2 * (depth + 1)) === depth)
          return { upTo: i - depth, end: i - depth }
        backslashes = 0
      }
    }
    return { upTo: this.text.length, end: undefined }
  }
}

/**
 * The characters of an unquoted value. It ends at white space, `<`, `>`, a quote, or an escaped quote or line end; with
 * `colon` and `code` also at other punctuation, and with `code` at `|`, and at `&` where the next field of a URL or the
 * next command follows. The bound keeps the pattern from running out of stack.
 */
const ENDS = {
  code: /(?:[^\s"'`\\,;)\]}<>|&]|&(?!&|amp;|\\u0026|[\w%.[\]-]{1,40}=)|\\+[^\s"'`\\nrtu,;)\]}<>|&]){1,1000000}/y,
  colon: /(?:[^\s"'`\\,;)\]}<>]|\\+[^\s"'`\\nrtu,;)\]}<>]){1,1000000}/y,
  env: /(?:[^\s"'`\\<>]|\\+[^\s"'`\\nrtu<>]){1,1000000}/y,
}

/**
 * The unquoted value at `from`, without the punctuation of the sentence around it; `after` is the offset after that
 * punctuation.
 */
export function unquotedAt(
  text: string,
  from: number,
  ends: keyof typeof ENDS,
): { value: string; after: number } | undefined {
  ENDS[ends].lastIndex = from
  const run = ENDS[ends].exec(text)?.[0]
  return run === undefined ? undefined : { value: withoutTrailing(run), after: from + run.length }
}

/**
 * Walks back from the end, because a pattern for the last run of dots would read a value of dots again from each dot.
 */
function withoutTrailing(run: string): string {
  let end = run.length
  const isCall = run.length < 1000 && /\).{0,3}$/.test(run.slice(-4)) && run.includes('(')
  while (
    (TRAILING.has(run[end - 1] ?? '') && !(isCall && run[end - 1] === ')')) ||
    (end > 1 && run.startsWith('**', end - 2))
  ) {
    end -= TRAILING.has(run[end - 1]!) ? 1 : 2
  }
  return run.slice(0, end)
}

const TRAILING = new Set('.,;:)|&')

/**
 * Whether a line ends at `offset` (written or as an escape), or a comment, a quote or a terminal colour begins there.
 */
export function isLineEnd(text: string, offset: number): boolean {
  LINE_END.lastIndex = offset
  return LINE_END.test(text)
}

const LINE_END = /[ \t]{0,20}(?:$|\r?\n|\\+[nr"'`]|#|\/\/|["'`”<]|\*\/|-->|\u001b|\\u001b)/y

/** Whether only marks of a list, a diff or a numbered line are between `offset` and the start of its line or string. */
export function isLineStart(text: string, offset: number): boolean {
  const from = Math.max(0, offset - 60)
  const before = from === 0 ? `\n${text.slice(0, offset)}` : text.slice(from, offset)
  return LINE_START.test(before)
}

const LINE_START = /(?:\n|\\n|["'`])[ \t>|#+-]{0,40}(?:[0-9]{1,6}[→:|\t -][ \t+-]{0,40})?$/

/** Whether the quote before `rest` ended a string of JSON: structure follows it, not a value. */
export function isStructure(rest: string): boolean {
  return /^(?:\s|\\+[nrt])*(?:[,\]}:]|\)[,;.)])/.test(rest)
}

/** The pattern of a quote, perhaps escaped, that begins a value. One before `,`, `]`, `}` or `:` has ended a string. */
export const OPENING = `\\\\{0,40}["'](?!(?:\\s|\\\\{1,40}[nrt]){0,60}[,\\]}:])`
