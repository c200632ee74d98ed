import { type Fields, fieldsOf, textOf } from '../../shared/transcript/fields.ts'
import type { Line } from '../../shared/transcript/lines.ts'

/** One rollout file, as a part of the transcript that is read. */
interface Part {
  thread: string
  /** When the file began, in milliseconds. If a rewind made the file, the file's id begins with this time. */
  begun: number
  /** Whether it is the first file of its thread. */
  isFirst: boolean
  start: number
  ends: { offset: number; ordinal: number | undefined; tip: string | null }[]
}

/**
 * Notes the last message of the talk at each line of each file. A file that continues another file names that file and
 * an end in it (its base: `history_base`). A fork continues the talk from that end. A rewind takes back what comes
 * after that end.
 */
export class Lineage {
  /** The ids of missing files that other files continue. */
  readonly missing: string[] = []
  readonly #parts: Part[] = []

  /**
   * Begins a file. Returns the message after which the talk continues. This is the last message (`tip`), or an earlier
   * one if the file's base ends earlier.
   */
  begin(line: Line, meta: Fields, tip: string | null): string | null {
    const base = fieldsOf(meta.history_base)
    const hasBase = textOf(base.thread_id) !== ''
    const from = hasBase ? this.#tipAt(base, tip) : tip
    this.#parts.push({
      thread: textOf(meta.id),
      begun: Date.parse(textOf(meta.timestamp)),
      isFirst: !hasBase || this.#isForkOf(meta),
      start: line.start,
      ends: [],
    })
    return from
  }

  /** Notes the end of a line, and the last message at that point. */
  note(line: Line, ordinal: unknown, tip: string | null): void {
    const part = this.#parts.at(-1)
    part?.ends.push({
      offset: line.start + line.bytes.length - part.start,
      ordinal: typeof ordinal === 'number' ? ordinal : undefined,
      tip,
    })
  }

  #isForkOf(meta: Fields): boolean {
    return textOf(meta.forked_from_id) !== '' && !this.#parts.some(({ thread }) => thread === meta.id)
  }

  /**
   * The last message before the end of a base. If the file of the base is missing, nothing is taken back, so that no
   * messages are lost.
   */
  #tipAt(base: Fields, tip: string | null): string | null {
    const id = textOf(base.thread_id)
    const named = this.#parts.filter(
      (part) => (part.thread === id && part.isFirst) || (!part.isFirst && part.begun === timeOf(id)),
    )
    // A base whose id names none of these files may be in any file of a rewind that has just this end.
    const possible = named.length > 0 ? named : this.#parts.filter(({ isFirst }) => !isFirst)
    const found = possible.findLast((part) => endOf(part, base)?.isSure) ?? named.at(-1)
    if (found === undefined) {
      this.missing.push(id)
      return tip
    }
    const end = endOf(found, base)
    return end === undefined ? tip : end.tip
  }
}

/**
 * The place in a file where a base ends. This is the place of the ordinal or, if the file's ordinals are damaged, of
 * the byte offset. Both may be wrong in a copy, so `isSure` is true only if both lead to the same place.
 */
function endOf(part: Part, base: Fields): { tip: string | null; isSure: boolean } | undefined {
  const byOffset = part.ends.find(({ offset }) => offset === base.end_byte_offset)
  const byOrdinal = part.ends.findLast(
    ({ ordinal }) => ordinal !== undefined && ordinal + 1 === base.end_ordinal_exclusive,
  )
  const isSure = byOffset !== undefined && byOffset === byOrdinal
  const found = byOffset === undefined || isAscending(part) ? (byOrdinal ?? byOffset) : byOffset
  return found && { tip: found.tip, isSure }
}

function isAscending({ ends }: Part): boolean {
  const ordinals = ends.flatMap(({ ordinal }) => ordinal ?? [])
  return ordinals.every((ordinal, index) => index === 0 || ordinal > ordinals[index - 1]!)
}

/** The ids of rollout files are UUIDs of version 7, which begin with the time in milliseconds. */
function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}
