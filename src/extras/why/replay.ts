import type { FileEdit, Part } from './edits.ts'
import { isTrivial, linesOf, matchLines } from './lines.ts'

/** The lines of a file during the replay, each with the edit that wrote it. */
interface State<E> {
  lines: readonly string[]
  by: (E | undefined)[]
}

/**
 * Replays edits over the old lines of a file, compares the result with the new lines, and returns the edit that wrote
 * each new line; undefined for a line that no edit is known to have written. An edit does not apply if a person has
 * changed the text that it replaces; then its lines are recognised only by their text. A line such as `}` gets an edit
 * only between other lines of that edit.
 */
export function replay<E extends FileEdit>(
  before: readonly string[],
  edits: readonly E[],
  after: readonly string[],
): (E | undefined)[] {
  let state: State<E> = { lines: before, by: before.map(() => undefined) }
  const unapplied = new Map<string, E>()
  for (const edit of edits) {
    const next = applyEdit(state, edit)
    if (next !== undefined) state = next
    for (const line of unapplied.keys()) if (isGoneAfter(edit, line)) unapplied.delete(line)
    if (next === undefined) for (const line of linesWritten(edit)) unapplied.set(line, edit)
  }
  const by = matchLines(state.lines, after).map((oldIndex, index) => {
    if (oldIndex !== -1) return oldIndex === undefined ? undefined : state.by[oldIndex]
    const edit = unapplied.get(after[index]!)
    unapplied.delete(after[index]!)
    return edit
  })
  return withoutEdges(after, by, before.length === 0)
}

/** Whether an edit, or a read of the whole file, shows that the file does not contain a line any more. */
function isGoneAfter(edit: FileEdit, line: string): boolean {
  if (edit.kind === 'seen' || edit.kind === 'whole') return !linesOf(edit.text).includes(line)
  if (edit.kind !== 'parts') return edit.kind === 'removed'
  return edit.parts.some(
    ({ before, after }) => linesOf(before).includes(line) && !linesOf(after).includes(line),
  )
}

/**
 * Removes the edit from a line such as `}` unless the line is between two other lines of the same edit. At the edge of
 * an edit, a new brace cannot be distinguished from an old one, except in a new file.
 */
function withoutEdges<E>(
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

/** The state after an edit; undefined if the edit does not apply, or has no text. */
function applyEdit<E extends FileEdit>(state: State<E>, edit: E): State<E> | undefined {
  if (edit.kind === 'unknown') return undefined
  if (edit.kind === 'removed') return { lines: [], by: [] }
  if (edit.kind === 'seen') return withLines(state, linesOf(edit.text))
  if (edit.kind === 'whole') return withLines(state, linesOf(edit.text), edit)
  let text: string | undefined = state.lines.map((line) => `${line}\n`).join('')
  for (const part of edit.parts) text = text === undefined ? undefined : withPart(text, part)
  return text === undefined ? undefined : withLines(state, linesOf(text), edit)
}

function withPart(text: string, { before, after, all, lines, takesBreak }: Part): string | undefined {
  if (before === '') return text === '' ? after : undefined
  if (lines === true) {
    const start = `\n${text}`.indexOf(`\n${before}\n`)
    if (start === -1) return undefined
    return `${text.slice(0, start)}${after === '' ? '' : `${after}\n`}${text.slice(start + before.length + 1)}`
  }
  const old = takesBreak === true && text.includes(`${before}\n`) ? `${before}\n` : before
  if (!text.includes(old)) return undefined
  return all ? text.replaceAll(old, () => after) : text.replace(old, () => after)
}

/** Lines that stay the same keep their edit. */
function withLines<E>({ lines: before, by }: State<E>, lines: readonly string[], edit?: E): State<E> {
  const matched = matchLines(before, lines)
  return {
    lines,
    by: matched.map((index) => (index === undefined ? undefined : index === -1 ? edit : by[index])),
  }
}

/** The whole lines that an edit adds, without trivial ones. */
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
