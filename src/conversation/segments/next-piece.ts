import { readerOf } from '../../clients/index.ts'
import type { Segment } from '../../store/machine/binding.ts'
import type { ReadMark } from '../../store/machine/published.ts'
import type { Workspace } from '../../workspace/open.ts'
import { boundSegments } from './read-segment.ts'
import { isSimple, type Reach, type SegmentPiece } from './segment-content.ts'

/** About how many bytes of a segment are read, redacted and written at a time. */
const PIECE_BYTES = 4 * 1024 * 1024

/**
 * Returns the next piece of a segment's long new part. `factor` makes it longer: the first piece grows until a title can be
 * made of it. Without a mark, the record must be empty. Returns undefined when the caller must publish everything at once:
 * - the new part is short or cannot be divided
 * - several segments have new parts, or there are several segments and no mark
 * - the segment cannot be read from a point in the middle (`isSimple`)
 * - the client's transcripts can only be read as a whole
 */
export function nextPiece(
  ws: Workspace,
  path: string,
  reach: Reach,
  marked: ReadMark | undefined,
  factor = 1,
): SegmentPiece | undefined {
  const all = boundSegments(ws, path, reach, marked)
  const grown = all.filter(({ segment, native: { journal, sides }, published }) => {
    return (
      published?.end !== endOf(segment, journal) ||
      sides.paths.some((one) => sides.stamps[one] !== published.sides[one])
    )
  })
  const [first] = grown
  if (first === undefined || grown.length > 1 || (marked === undefined && all.length > 1)) return undefined
  const { binding, segment, native, published } = first
  const { pieceEnd } = readerOf(binding.client).reading
  if (pieceEnd === undefined || !isSimple(segment)) return undefined
  const [from, until] = [published?.end ?? segment.from, endOf(segment, native.journal)]
  const read = (start: number, end: number) => native.journal.read(segment.journal, start, end)
  const least = factor * (reach.pieceBytes ?? PIECE_BYTES)
  for (let length = least; from + length < until; length = longer(read, from, length, least)) {
    const end = pieceEnd(read(from, from + length))
    if (end !== undefined && end > 0)
      return {
        ...{ client: binding.client, nativeId: binding.native_id, started_at: segment.started_at },
        to: from + end,
      }
  }
  return undefined
}

/** The offset in its journal up to which a segment can be read now. */
function endOf(
  { journal, to }: Segment,
  { generations }: { generations: readonly { name: string; size: number }[] },
): number {
  const size = generations.find(({ name }) => name === journal)?.size ?? 0
  return Math.min(to ?? size, size)
}

/**
 * Returns the length to try next: at least twice `length`, and beyond the line in which `length` ends, so that a very
 * long line is not read several times.
 */
export function longer(
  read: (start: number, end: number) => Uint8Array,
  from: number,
  length: number,
  least: number,
): number {
  for (let at = from + length; ; at += SCANNED_BYTES) {
    const bytes = read(at, at + SCANNED_BYTES)
    const found = bytes.indexOf(10)
    if (found !== -1) return Math.max(2 * length, at + found + 1 - from + least)
    if (bytes.length < SCANNED_BYTES) return Math.max(2 * length, at + bytes.length - from)
  }
}

const SCANNED_BYTES = 256 * 1024
