import type { FileEdit, Part } from './edits.ts'
import { isTrivial, linesOf, matchLines } from './lines.ts'

/** A file during the replay: its text, its lines, and for each line the edit that wrote it. */
interface State<E> {
  text: string
  lines: readonly string[]
  by: (E | undefined)[]
}

/**
 * Replays edits over the old lines of a file, and compares the result with the new lines. Returns for each new line the
 * edit that wrote it; undefined if none is known. An edit cannot be applied if a person has changed the text that it
 * replaces, or if the replay is too much work. Then a new line with the same text as a line of this edit counts as
 * written by it. A line such as `}` gets an edit only between two other lines of the same edit.
 */
export function replay<E extends FileEdit>(
  before: readonly string[],
  edits: readonly E[],
  after: readonly string[],
): (E | undefined)[] {
  let state: State<E> = { text: textOf(before), lines: before, by: before.map(() => undefined) }
  const unapplied = new Map<string, E>()
  let work = 0
  for (const edit of edits) {
    work += state.text.length
    const next = work > MAX_WORK && edit.kind === 'parts' ? undefined : applyEdit(state, edit)
    if (next !== undefined) state = next
    removeGone(unapplied, edit)
    if (next === undefined) for (const line of linesWritten(edit)) unapplied.set(line, edit)
  }
  // `matchLines` gives the index of the old line, -1 for a new line, and undefined where it does not know.
  const by = matchLines(state.lines, after).map((oldIndex, index) => {
    if (oldIndex !== -1) return oldIndex === undefined ? undefined : state.by[oldIndex]
    const edit = unapplied.get(after[index]!)
    unapplied.delete(after[index]!)
    return edit
  })
  return withoutEdges(after, by, before.length === 0)
}

/**
 * How many characters all edits of parts together may search: a thousand edits of a file of 100 KB. Without this limit,
 * a record could contain a thousand edits of a text of several megabytes.
 */
const MAX_WORK = 100_000_000
/**
 * An edit that makes the text longer than this is not applied. Without this limit, sixty edits that each double the
 * text would fill the memory.
 */
const MAX_LENGTH = 8 * 1024 * 1024

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

/** Removes the lines that are not in the file any more, according to this edit or read. */
function removeGone(lines: Map<string, unknown>, edit: FileEdit): void {
  if (edit.kind === 'removed') lines.clear()
  else if (edit.kind === 'seen' || edit.kind === 'whole') {
    const left = new Set(lines.size === 0 ? [] : linesOf(edit.text))
    for (const line of lines.keys()) if (!left.has(line)) lines.delete(line)
  } else if (edit.kind === 'parts' && lines.size > 0)
    for (const { before, after } of edit.parts) {
      const left = new Set(linesOf(after))
      for (const line of linesOf(before)) if (!left.has(line)) lines.delete(line)
    }
}

/**
 * Keeps the edit of a line such as `}` only if the line is between two other lines of the same edit. At the edge of an
 * edit, a comparison cannot tell a new brace from an old one. In a new file, the beginning and the end of the file are
 * no such edge.
 */
export function withoutEdges<E>(
  lines: readonly string[],
  by: readonly (E | undefined)[],
  isNew: boolean,
): (E | undefined)[] {
  const isInside = (index: number, step: 1 | -1) => {
    const edit = by[index]
    let next = index + step
    while (next >= 0 && next < lines.length && by[next] === edit && isTrivial(lines[next]!)) next += step
    return next < 0 || next >= lines.length ? isNew : by[next] === edit
  }
  return by.map((edit, index) =>
    edit === undefined || !isTrivial(lines[index]!) || (isInside(index, 1) && isInside(index, -1))
      ? edit
      : undefined,
  )
}

/** The state after an edit; undefined if the edit cannot be applied. */
function applyEdit<E extends FileEdit>(state: State<E>, edit: E): State<E> | undefined {
  if (edit.kind === 'unknown') return undefined
  if (edit.kind === 'removed') return { text: '', lines: [], by: [] }
  if (edit.kind === 'seen') return withText(state, edit.text)
  if (edit.kind === 'whole') return withText(state, edit.text, edit)
  let text: string | undefined = state.text
  for (const part of edit.parts) text = text === undefined ? undefined : withPart(text, part)
  return text === undefined ? undefined : withText(state, text, edit)
}

/** `lines`: the part is whole lines. `takesBreak`: if it is removed, the line break after it goes too. */
function withPart(text: string, { before, after, all, lines, takesBreak }: Part): string | undefined {
  if (before === '') return text === '' ? after : undefined
  if (lines === true) {
    const start = `\n${text}`.indexOf(`\n${before}\n`)
    if (start === -1) return undefined
    return `${text.slice(0, start)}${after === '' ? '' : `${after}\n`}${text.slice(start + before.length + 1)}`
  }
  const old = takesBreak === true && text.includes(`${before}\n`) ? `${before}\n` : before
  const times = all ? occurrences(text, old) : Number(text.includes(old))
  if (times === 0 || text.length + times * (after.length - old.length) > MAX_LENGTH) return undefined
  return all ? text.replaceAll(old, () => after) : text.replace(old, () => after)
}

function occurrences(text: string, part: string): number {
  let count = 0
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count += 1
  return count
}

/** The state with another text. Lines that stay keep their edit; new lines get `edit`. */
function withText<E>({ lines: before, by }: State<E>, written: string, edit?: E): State<E> {
  const lines = linesOf(written)
  const matched = matchLines(before, lines)
  return {
    text: textOf(lines),
    lines,
    by: matched.map((index) => (index === undefined ? undefined : index === -1 ? edit : by[index])),
  }
}

/** The lines that an edit adds, without trivial lines. */
export function linesWritten(edit: FileEdit): string[] {
  const lines =
    edit.kind === 'whole' ? linesOf(edit.text) : edit.kind === 'parts' ? edit.parts.flatMap(addedLines) : []
  return lines.filter((line) => !isTrivial(line))
}

function addedLines({ before, after }: Part): string[] {
  const lines = linesOf(after)
  const matched = matchLines(linesOf(before), lines)
  return lines.filter((_, index) => matched[index] === -1)
}
