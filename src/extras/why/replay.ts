import type { FileEdit, Part } from './edits.ts'
import { isTrivial, linesOf, matchLines } from './lines.ts'

/** The lines of a file while edits are played over it, each with the edit that wrote it. */
interface State<E> {
  lines: string[]
  by: (E | undefined)[]
}

export interface Replayed<E> {
  /** For each line of the file as it became, the edit that wrote it; undefined for one that none of them wrote. */
  by: (E | undefined)[]
  /** The lines that come out. */
  made: readonly string[]
  /** Edits that did not find their place: somebody else had changed the file before them. */
  loose: E[]
  /** How many lines of the file as it became come out of the edits. */
  like: number
  /** How many lines the outcome of the edits has that the file as it became has not, and the other way round. */
  unlike: number
}

/**
 * Plays edits in their order over a file as it was, and compares the outcome with the file as it became. A line that is
 * in the outcome and in the file has the edit that wrote it; lines that somebody else wrote meanwhile have none. A line
 * such as `}` counts only between lines of the same edit.
 */
export function replay<E extends FileEdit>(
  before: readonly string[],
  edits: readonly E[],
  after: readonly string[],
): Replayed<E> {
  let state: State<E> = { lines: [...before], by: before.map(() => undefined) }
  const loose: E[] = []
  for (const edit of edits) {
    const next = applied(state, edit)
    if (next === undefined) loose.push(edit)
    else state = next
  }
  const matched = matchLines(state.lines, after)
  const by = matched.map((at) => (at === -1 ? undefined : state.by[at]))
  const like = matched.filter((at) => at !== -1).length
  const unlike = state.lines.length + after.length - 2 * like
  return { by: withoutEdges(after, by, before.length === 0), made: state.lines, loose, like, unlike }
}

/**
 * Takes away lines such as `}` that are not between lines of the same edit which say more: at the edge of what was
 * written nobody can tell the brace that came from the one that was there. In a new file there was none.
 */
function withoutEdges<E>(
  lines: readonly string[],
  by: readonly (E | undefined)[],
  isNew: boolean,
): (E | undefined)[] {
  const isHeld = (at: number, step: 1 | -1) => {
    const edit = by[at]
    let next = at + step
    while (next >= 0 && next < lines.length && by[next] === edit && isTrivial(lines[next]!)) next += step
    return next < 0 || next >= lines.length ? isNew : by[next] === edit
  }
  return by.map((edit, at) =>
    edit === undefined || !isTrivial(lines[at]!) || (isHeld(at, 1) && isHeld(at, -1)) ? edit : undefined,
  )
}

/** Undefined when the edit does not find its place. An edit whose text is not known changes nothing. */
function applied<E extends FileEdit>(state: State<E>, edit: E): State<E> | undefined {
  if (edit.kind === 'unknown') return undefined
  if (edit.kind === 'removed') return { lines: [], by: [] }
  if (edit.kind === 'seen') return put(state, 0, state.lines.length, linesOf(edit.text), undefined)
  if (edit.kind === 'whole') return put(state, 0, state.lines.length, linesOf(edit.text), edit)
  let next = state
  for (const part of edit.parts) {
    const changed = withPart(next, part, edit)
    if (changed === undefined) return undefined
    next = changed
  }
  return next
}

function withPart<E extends FileEdit>(state: State<E>, part: Part, edit: E): State<E> | undefined {
  const { after } = part
  const before = takenAway(state, part)
  if (before === '') return state.lines.length === 0 ? put(state, 0, 0, linesOf(after), edit) : undefined
  if (before === after) return state
  const text = `${state.lines.join('\n')}\n`
  const at = placeIn(text, before, part)
  if (at === -1) return undefined
  const upTo = (part.all ? text.lastIndexOf(before) : at) + before.length
  const become = part.all ? text.slice(at, upTo).replaceAll(before, () => after) : after
  const first = breaksIn(text, 0, at)
  const last = first + breaksIn(text, at, upTo)
  const end = text.indexOf('\n', upTo)
  // What ends with a line break takes the next line with it, as it is.
  const rest = end === -1 ? '' : text.slice(upTo, end)
  const start = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
  const lines = `${text.slice(start, at)}${become}${rest}`.split('\n')
  if (end === -1 && lines.at(-1) === '') lines.pop()
  return put(state, first, Math.min(last + 1, state.lines.length), lines, edit)
}

function takenAway({ lines }: State<unknown>, { before, takesBreak }: Part): string {
  const whole = `${before}\n`
  return takesBreak === true && before !== '' && `${lines.join('\n')}\n`.includes(whole) ? whole : before
}

function placeIn(text: string, before: string, { lines }: Part): number {
  let at = text.indexOf(before)
  while (at !== -1 && lines === true && !isWhole(text, at, before.length)) at = text.indexOf(before, at + 1)
  return at
}

function isWhole(text: string, at: number, length: number): boolean {
  return (at === 0 || text[at - 1] === '\n') && text[at + length] === '\n'
}

function breaksIn(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** Puts lines in the place of others. Those that stay the same keep who wrote them. */
function put<E>(state: State<E>, from: number, to: number, lines: readonly string[], edit?: E): State<E> {
  const matched = matchLines(state.lines.slice(from, to), lines)
  return {
    lines: [...state.lines.slice(0, from), ...lines, ...state.lines.slice(to)],
    by: [
      ...state.by.slice(0, from),
      ...matched.map((at) => (at === -1 ? edit : state.by[from + at])),
      ...state.by.slice(to),
    ],
  }
}

/** The whole lines that an edit writes, wherever they go, without those that say nothing: in rows without a gap. */
export function rowsWritten(edit: FileEdit): string[][] {
  const rows =
    edit.kind === 'whole' ? [linesOf(edit.text)] : edit.kind === 'parts' ? edit.parts.flatMap(newIn) : []
  return rows.map((row) => row.filter((line) => !isTrivial(line)))
}

/** All of them, one after the other. */
export function linesWritten(edit: FileEdit): string[] {
  return rowsWritten(edit).flat()
}

function newIn({ before, after }: Part): string[][] {
  const lines = linesOf(after)
  const matched = matchLines(linesOf(before), lines)
  const rows: string[][] = []
  for (const [at, line] of lines.entries()) {
    if (matched[at] !== -1) continue
    if (at > 0 && matched[at - 1] === -1) rows.at(-1)!.push(line)
    else rows.push([line])
  }
  return rows
}
