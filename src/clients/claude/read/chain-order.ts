import type { Line } from './lines.ts'
import { textOf } from './shape.ts'

/**
 * The lines with every record behind its parent. Claude Code writes records through a queue, and on a busy machine
 * the first answer of a forked session can stand before its prompt (observed on 2.1.197). A line that is moved
 * takes the number of the one that it follows, since numbers give the order.
 */
export function inChainOrder(lines: readonly Line[]): readonly Line[] {
  const early = linesBeforeTheirParent(lines)
  if (early.size === 0) return lines
  const moved = new Set([...early.values()].flat())
  const ordered: Line[] = []
  const put = (line: Line, number: number): void => {
    ordered.push(number === line.number ? line : { ...line, number })
    for (const child of early.get(line) ?? []) put(child, number)
  }
  for (const line of lines) if (!moved.has(line)) put(line, line.number)
  return ordered
}

/** By the parent's line. A record that stands twice stands where it stands first. */
function linesBeforeTheirParent(lines: readonly Line[]): Map<Line, Line[]> {
  const places = new Map<string, Line>()
  for (const line of lines.toReversed()) if (uuidOf(line) !== '') places.set(uuidOf(line), line)
  const early = new Map<Line, Line[]>()
  for (const line of lines) {
    const parent = line.content.kind === 'record' ? line.content.record.parentUuid : undefined
    const place = typeof parent === 'string' ? places.get(parent) : undefined
    if (place !== undefined && place.start > line.start) early.set(place, [...(early.get(place) ?? []), line])
  }
  return early
}

function uuidOf({ content }: Line): string {
  return content.kind === 'record' ? textOf(content.record.uuid) : ''
}
