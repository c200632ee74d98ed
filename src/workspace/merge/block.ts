/**
 * Keeps our own lines in a file of the person, between two marks. They are put in, updated and taken out without
 * touching a byte outside. Pure. Taking out what was put in always gives back what was there before. That includes "no
 * file" and "no newline at the end", which the first mark remembers.
 */

export type FileText = string | undefined

/** The text with our lines in it, at their present place or at the end. `name` tells several blocks apart. */
export function putBlock(text: FileText, name: string, lines: readonly string[]): string {
  const found = find(text ?? '', name)
  const end = `${endMark(name)}\n`
  const body = lines.map((line) => `${line}\n`).join('')
  if (text !== undefined && found !== undefined) {
    const mark = text.slice(found.start, text.indexOf('\n', found.start) + 1)
    return text.slice(0, found.start) + mark + body + end + text.slice(found.end)
  }
  if (text === undefined) return `${startMark(name, NEW_FILE)}\n${body}${end}`
  const joined = text !== '' && !text.endsWith('\n')
  return `${text}${joined ? '\n' : ''}${startMark(name, joined ? NO_NEWLINE : '')}\n${body}${end}`
}

/** The text without our lines. Undefined when the file was ours and holds nothing else. */
export function takeBlock(text: string, name: string): FileText {
  const found = find(text, name)
  if (found === undefined) return text
  const before = text.slice(0, found.start)
  const after = text.slice(found.end)
  if (found.was === NEW_FILE && before === '' && after === '') return undefined
  return (found.was === NO_NEWLINE && after === '' ? before.replace(/\n$/, '') : before) + after
}

const NEW_FILE = ' (new file)'
const NO_NEWLINE = ' (no newline before)'

function startMark(name: string, was: string): string {
  return `# >>> cortext ${name}${was} >>>`
}

function endMark(name: string): string {
  return `# <<< cortext ${name} <<<`
}

interface Found {
  start: number
  /** The offset after the newline of the last mark. */
  end: number
  was: string
}

/** Only a whole block counts. If one of its marks is lost, its lines are left to the person. */
function find(text: string, name: string): Found | undefined {
  for (const was of ['', NEW_FILE, NO_NEWLINE]) {
    const start = lineIndex(text, startMark(name, was), 0)
    if (start === -1) continue
    const last = lineIndex(text, endMark(name), start)
    if (last !== -1) return { start, end: last + endMark(name).length + 1, was }
  }
  return undefined
}

function lineIndex(text: string, line: string, from: number): number {
  const index = `\n${text}\n`.indexOf(`\n${line}\n`, from)
  return index
}
