/**
 * Our own lines in a file of the person, between two marks. Adding, updating and removing them changes no byte outside
 * the marks. Removing them restores the earlier text: the first mark says whether there was no file, or no newline at
 * its end. Pure.
 */

export type FileText = string | undefined

/**
 * The text with our lines: in the place of the present ones, else at the end. A file can have several blocks with
 * different names.
 */
export function putBlock(text: FileText, name: string, lines: readonly string[]): string {
  const found = find(text ?? '', name)
  const body = (ending: string) => [...lines, endMark(name)].map((line) => `${line}${ending}`).join('')
  if (text !== undefined && found !== undefined) {
    const mark = text.slice(found.start, text.indexOf('\n', found.start) + 1)
    const ending = mark.endsWith('\r\n') ? '\r\n' : '\n'
    return text.slice(0, found.start) + mark + body(ending) + text.slice(found.end)
  }
  if (text === undefined) return `${startMark(name, NEW_FILE)}\n${body('\n')}`
  const joined = text !== '' && !text.endsWith('\n')
  return `${text}${joined ? '\n' : ''}${startMark(name, joined ? NO_NEWLINE : '')}\n${body('\n')}`
}

/**
 * The text without our lines. Undefined when we have made the file and it contains nothing else. Of a block whose last
 * mark was removed, as `git config --remove-section` does, the first mark goes too.
 */
export function takeBlock(text: string, name: string): FileText {
  const found = find(text, name)
  if (found === undefined) return text
  const rests = [...startsOf(text, name)].filter(({ end }) => end <= found.start)
  const before = rests
    .sort((a, b) => b.start - a.start)
    .reduce((left, { start, end }) => left.slice(0, start) + left.slice(end), text.slice(0, found.start))
  const after = text.slice(found.end)
  if (found.remark === NEW_FILE && before === '' && after === '') return undefined
  return (found.remark === NO_NEWLINE && after === '' ? before.replace(/\r?\n$/, '') : before) + after
}

/** Whether the first mark of a block is in a text, whatever the block's name. */
export function hasBlock(text: string): boolean {
  return text.includes(START)
}

const START = '# >>> cortext '
const NEW_FILE = ' (new file)'
const NO_NEWLINE = ' (no newline before)'

function startMark(name: string, remark: string): string {
  return `${START}${name}${remark} >>>`
}

function endMark(name: string): string {
  return `# <<< cortext ${name} <<<`
}

interface Found {
  start: number
  /** The offset after the line of the last mark. */
  end: number
  remark: string
}

/**
 * Finds a block with both marks. If a mark is missing, the person has edited the block, and we leave it alone: of two
 * first marks before a last one, the first is such a rest, and the person's own lines may follow it.
 */
function find(text: string, name: string): Found | undefined {
  const starts = [...startsOf(text, name)]
  for (let last = lineIn(text, endMark(name), 0); last; last = lineIn(text, endMark(name), last.end)) {
    const { start: end } = last
    const nearest = starts.filter((one) => one.end <= end).sort((a, b) => b.start - a.start)[0]
    if (nearest !== undefined) return { start: nearest.start, end: last.end, remark: nearest.remark }
  }
  return undefined
}

function* startsOf(text: string, name: string): Generator<{ start: number; end: number; remark: string }> {
  for (const remark of ['', NEW_FILE, NO_NEWLINE]) {
    const mark = startMark(name, remark)
    for (let one = lineIn(text, mark, 0); one; one = lineIn(text, mark, one.end)) yield { ...one, remark }
  }
}

/** Where a line and the next line begin. The line may end in `\r\n`, because git may convert line breaks. */
function lineIn(text: string, line: string, from: number): { start: number; end: number } | undefined {
  for (let start = text.indexOf(line, from); start !== -1; start = text.indexOf(line, start + 1)) {
    const ending = /^(?:\r?\n|$)/.exec(text.slice(start + line.length, start + line.length + 2))?.[0]
    const begins = start === 0 || text[start - 1] === '\n'
    if (begins && ending !== undefined) return { start, end: start + line.length + ending.length }
  }
  return undefined
}
