import { listInside } from '../../io/inside.ts'
import type { Reading } from '../../search/reader.ts'
import { RECORD } from '../../store/layout.ts'

/** What a search can tell of a line of a record, or of its folder, without parsing. */

export const CUT = '"truncated":'
const CONTENT = '"content":"'

/** Whether the full texts of cut results may be beside the record. */
export function hasWholes(folder: string): boolean {
  return listInside(folder, RECORD.attachments, '').length > 0
}

/** Whether a line that we wrote is the output of a tool. In such a line, the role precedes the content. */
export function isOutput(line: string): boolean {
  const role = line.indexOf('"role":"')
  return role !== -1 && line.startsWith('"role":"tool"', role)
}

/**
 * Returns the range of the content in a line that we wrote and that has no other searchable text; undefined for other
 * lines.
 */
export function contentIn(line: string): Required<Reading> | undefined {
  const from = line.indexOf(CONTENT) + CONTENT.length
  if (from < CONTENT.length || line.includes('"tool_calls":[')) return undefined
  for (let to = line.indexOf('"', from); to !== -1; to = line.indexOf('"', to + 1)) {
    let escapes = 0
    while (line.charCodeAt(to - 1 - escapes) === 0x5c) escapes += 1
    if (escapes % 2 === 0) return { from, to, escaped: true }
  }
  return undefined
}

/** The range of the content in a line in which nothing else is searched, whoever wrote it; undefined for other lines. */
export function flatContentIn(line: string): Required<Reading> | undefined {
  const content = contentIn(line)
  if (content === undefined) return undefined
  const { from, to } = content
  const isFlat =
    line.lastIndexOf('{', from) === 0 && !line.slice(0, from).includes('[') && !/[[{]/.test(line.slice(to))
  return isFlat ? content : undefined
}
