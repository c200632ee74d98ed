import type { FileEdit, Part } from './edits.ts'
import { isTrivial, linesOf, matchLines } from './lines.ts'

/** The lines of a file during the replay, each with the edit that wrote it. */
interface State<E> {
  lines: readonly string[]
  by: (E | undefined)[]
}

/**
 * Replays edits over a file as it was, compares the result with the file as it became, and names the edit that wrote each
 * line of that; undefined for a line that no edit is known to have written. An edit that does not find its place (somebody
 * had changed the file before) names its lines by their text alone. A line such as `}` is named only between lines of the
 * same edit.
 */
export function replay<E extends FileEdit>(
  before: readonly string[],
  edits: readonly E[],
  after: readonly string[],
): (E | undefined)[] {
  let state: State<E> = { lines: before, by: before.map(() => undefined) }
  const misplaced = new Map<string, E>()
  for (const edit of edits) {
    const next = applied(state, edit)
    if (next !== undefined) state = next
    for (const line of misplaced.keys()) if (isGoneAfter(edit, line)) misplaced.delete(line)
    if (next === undefined) for (const line of linesWritten(edit)) misplaced.set(line, edit)
  }
  const by = matchLines(state.lines, after).map((at, n) => {
    if (at !== -1) return at === undefined ? undefined : state.by[at]
    const edit = misplaced.get(after[n]!)
    misplaced.delete(after[n]!)
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
 * Removes the name from a line such as `}` unless it is between two other lines of the same edit: at the edge of an edit
 * nobody can tell a new brace from the one that was there. A new file had none.
 */
function withoutEdges<E>(
  lines: readonly string[],
  by: readonly (E | undefined)[],
  isNew: boolean,
): (E | undefined)[] {
  const isInside = (at: number, step: 1 | -1) => {
    const edit = by[at]
    let next = at + step
    while (next >= 0 && next < lines.length && by[next] === edit && isTrivial(lines[next]!)) next += step
    return next < 0 || next >= lines.length ? isNew : by[next] === edit
  }
  return by.map((edit, at) =>
    edit === undefined || !isTrivial(lines[at]!) || (isInside(at, 1) && isInside(at, -1)) ? edit : undefined,
  )
}

/** The state after an edit; undefined when the edit does not find its place, or has no text. */
function applied<E extends FileEdit>(state: State<E>, edit: E): State<E> | undefined {
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
    const at = `\n${text}`.indexOf(`\n${before}\n`)
    if (at === -1) return undefined
    return `${text.slice(0, at)}${after === '' ? '' : `${after}\n`}${text.slice(at + before.length + 1)}`
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
    by: matched.map((at) => (at === undefined ? undefined : at === -1 ? edit : by[at])),
  }
}

/** The whole lines that an edit adds, without trivial ones. */
export function linesWritten(edit: FileEdit): string[] {
  const lines =
    edit.kind === 'whole' ? linesOf(edit.text) : edit.kind === 'parts' ? edit.parts.flatMap(addedIn) : []
  return lines.filter((line) => !isTrivial(line))
}

function addedIn({ before, after }: Part): string[] {
  const lines = linesOf(after)
  const matched = matchLines(linesOf(before), lines)
  return lines.filter((_, at) => matched[at] === -1)
}
